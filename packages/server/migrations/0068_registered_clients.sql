-- Dynamic client registration: who may register (without a row: nobody), the tokens that permit it, and who has registered.
CREATE TABLE client_registration_settings (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  settings jsonb NOT NULL
);
CREATE TABLE initial_access_tokens (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  policy jsonb NOT NULL,
  most_registrations integer,
  registrations integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, hash)
);
CREATE INDEX initial_access_tokens_by_age ON initial_access_tokens (tenant_id, created_at DESC, id DESC);
-- What an application that registered itself said of itself; null: an operator registered it.
ALTER TABLE applications ADD COLUMN registration jsonb;
CREATE TABLE registered_clients (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  token_hash bytea NOT NULL,
  initial_access_token_id text,
  policy jsonb NOT NULL,
  registered_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, application_id),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX registered_clients_by_age ON registered_clients (tenant_id, registered_at);
CREATE INDEX registered_clients_unused ON registered_clients (tenant_id, registered_at) WHERE last_used_at IS NULL;
