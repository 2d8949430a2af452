-- One-time tokens (magic links). The value is kept as a hash; the row stays for a day after the token has ended, so that a user
-- who opens an old link is told why it does not work.
CREATE TABLE one_time_tokens (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  hash bytea NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  context jsonb NOT NULL,
  status text NOT NULL DEFAULT 'active',
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  kept_until timestamptz NOT NULL,
  CONSTRAINT one_time_tokens_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT one_time_tokens_status_check CHECK (status IN ('active', 'consumed', 'revoked', 'expired'))
);
CREATE UNIQUE INDEX one_time_tokens_hash ON one_time_tokens (tenant_id, hash);
CREATE INDEX one_time_tokens_by_age ON one_time_tokens (tenant_id, created_at DESC, id DESC);
CREATE INDEX one_time_tokens_by_email ON one_time_tokens (tenant_id, email_key, created_at DESC, id DESC);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (kept_until);
