-- The captcha provider of a tenant: which service, and its keys, sealed.
CREATE TABLE captcha_providers (
  tenant_id text NOT NULL,
  id text NOT NULL,
  sealed_config bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT captcha_providers_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT captcha_providers_tenant FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
);

-- Captchas that were used, until they expire: each is good once.
CREATE TABLE used_captchas (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT used_captchas_pkey PRIMARY KEY (tenant_id, hash),
  CONSTRAINT used_captchas_tenant FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
);
CREATE INDEX used_captchas_expiry ON used_captchas (expires_at);
