-- Settings of what users do with their own account.
CREATE TABLE account_centers (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  -- origins other than the tenant's own at which its passkeys are made and used
  webauthn_related_origins text[] NOT NULL
);
