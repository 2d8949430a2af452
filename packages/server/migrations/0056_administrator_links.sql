-- The one-time link by which a tenant without administrators gets its first.
CREATE TABLE administrator_links (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  secret_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, secret_hash)
);
