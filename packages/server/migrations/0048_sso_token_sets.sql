-- Connectors of enterprise SSO keep the tokens of the identity provider, where they are told to.

ALTER TABLE sso_connectors ADD COLUMN enable_token_storage boolean NOT NULL DEFAULT false;
CREATE INDEX token_sets_by_sso_connector ON token_sets (tenant_id, sso_connector_id);
