-- Token exchange (RFC 8693): subject tokens for impersonation, and personal access tokens. Both are kept as hashes.

-- Used up by one conditional statement before anything is issued for it; the spent row stays until it expires.
CREATE TABLE subject_tokens (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  context jsonb NOT NULL,
  -- who made it, for the audit log: application or user
  creator jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  CONSTRAINT subject_tokens_pkey PRIMARY KEY (tenant_id, hash),
  CONSTRAINT subject_tokens_user_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX subject_tokens_by_user ON subject_tokens (tenant_id, user_id);
CREATE INDEX subject_tokens_by_expiry ON subject_tokens (expires_at);

CREATE TABLE personal_access_tokens (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT personal_access_tokens_pkey PRIMARY KEY (tenant_id, user_id, name),
  CONSTRAINT personal_access_tokens_hash_key UNIQUE (tenant_id, hash),
  CONSTRAINT personal_access_tokens_user_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
