-- Second factors and passkeys. What must be read back is sealed (secrets of TOTP); backup codes are kept as a MAC.
CREATE TABLE factors (
  tenant_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  type text NOT NULL,
  -- Totp: the secret, and the last time step that was used
  sealed_secret bytea,
  last_used_step integer,
  -- WebAuthn: the credential
  credential_id bytea,
  public_key bytea,
  counter bigint,
  transports text[],
  rp_id text,
  agent text,
  name text,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT factors_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT factors_user FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT factors_type CHECK (type IN ('Totp', 'WebAuthn', 'BackupCode')),
  CONSTRAINT factors_totp CHECK ((type = 'Totp') = (sealed_secret IS NOT NULL)),
  CONSTRAINT factors_webauthn CHECK (
    (type = 'WebAuthn') = (credential_id IS NOT NULL AND public_key IS NOT NULL AND counter IS NOT NULL AND rp_id IS NOT NULL))
);
CREATE INDEX factors_of_user ON factors (tenant_id, user_id);
-- a user has one TOTP and one set of backup codes
CREATE UNIQUE INDEX factors_once ON factors (tenant_id, user_id, type) WHERE type <> 'WebAuthn';
CREATE UNIQUE INDEX factors_credential ON factors (tenant_id, credential_id) WHERE credential_id IS NOT NULL;

CREATE TABLE backup_codes (
  tenant_id text NOT NULL,
  factor_id text NOT NULL,
  mac bytea NOT NULL,
  used_at timestamptz,
  CONSTRAINT backup_codes_pkey PRIMARY KEY (tenant_id, factor_id, mac),
  CONSTRAINT backup_codes_factor FOREIGN KEY (tenant_id, factor_id) REFERENCES factors (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE trusted_devices (
  tenant_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  secret_hash bytea NOT NULL,
  user_agent text,
  ip text,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT trusted_devices_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT trusted_devices_user FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX trusted_devices_of_user ON trusted_devices (tenant_id, user_id);
CREATE INDEX trusted_devices_expiry ON trusted_devices (expires_at);

-- What a user, or an administrator for them, decided about second factors: enabled, skipped …
ALTER TABLE users ADD COLUMN factor_choices jsonb NOT NULL DEFAULT '{}';
