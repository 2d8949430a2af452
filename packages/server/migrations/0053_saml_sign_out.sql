-- The NameID of SAML that a session was made by: an identity provider that ends sessions names it, with or without a SessionIndex.
ALTER TABLE sso_sessions ADD COLUMN name_id text;
CREATE INDEX sso_sessions_by_name_id ON sso_sessions (tenant_id, connector_id, name_id);
