-- What the ID tokens of a tenant say about users. Without a row: as before there was a choice.
CREATE TABLE id_token_settings (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  settings jsonb NOT NULL
);
