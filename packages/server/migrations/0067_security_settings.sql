-- What a tenant demands of its applications: a security profile, and pushed authorization requests. Without a row: nothing.
CREATE TABLE security_settings (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  profile text NOT NULL DEFAULT 'none',
  requires_pushed boolean NOT NULL DEFAULT false
);
