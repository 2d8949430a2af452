-- Grants that applications manage (Grant Management for OAuth 2.0): what each allows, beside the grant that its codes and tokens belong to.
CREATE TABLE managed_grants (
  tenant_id text NOT NULL,
  grant_id text NOT NULL,
  scopes text[] NOT NULL,
  resources text[] NOT NULL,
  -- as those of authorization_codes
  claims text[],
  authorization_details text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, grant_id),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE
);
-- whether the token response names the grant
ALTER TABLE authorization_codes ADD COLUMN is_managed boolean NOT NULL DEFAULT false;
ALTER TABLE refresh_families ADD COLUMN is_managed boolean NOT NULL DEFAULT false;
