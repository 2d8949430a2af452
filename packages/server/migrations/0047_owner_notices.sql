-- Messages that tell owners of accounts of sensitive changes: each has a link by which its reader says that it was someone else.
CREATE TABLE owner_notices (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  user_id text NOT NULL,
  kind text NOT NULL,
  -- the factor or the provider that was added
  subject text,
  -- the address that the message went to
  email_key text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  CONSTRAINT owner_notices_pkey PRIMARY KEY (tenant_id, hash),
  CONSTRAINT owner_notices_user_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX owner_notices_by_user ON owner_notices (tenant_id, user_id);
CREATE INDEX owner_notices_by_age ON owner_notices (expires_at);
