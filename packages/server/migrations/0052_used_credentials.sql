-- Each ID token that came without a request for it, as those of Google One Tap do, is accepted once, on whatever node.
CREATE TABLE used_credentials (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- of what is signed
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash)
);
CREATE INDEX used_credentials_by_expiry ON used_credentials (expires_at);
