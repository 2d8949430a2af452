-- Tokens of providers, kept for applications that call the provider's API on behalf of the user.

ALTER TABLE connectors ADD COLUMN enable_token_storage boolean NOT NULL DEFAULT false;

-- One for each account at a provider. It ends with the account of the user, with their account there, and with the connector.
CREATE TABLE token_sets (
  tenant_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  -- a social connector and its target, or a connector of enterprise SSO
  connector_id text,
  target text,
  sso_connector_id text,
  -- at the provider
  identity_id text NOT NULL,
  sealed bytea NOT NULL,
  -- what may be shown: scope, expiry, whether there is a refresh token
  metadata jsonb NOT NULL,
  -- a node is refreshing it
  refreshing_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT token_sets_of_one_connector CHECK (
    (connector_id IS NULL) = (target IS NULL) AND num_nonnulls(connector_id, sso_connector_id) = 1
  ),
  CONSTRAINT token_sets_social UNIQUE (tenant_id, user_id, target),
  CONSTRAINT token_sets_sso UNIQUE (tenant_id, user_id, sso_connector_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, connector_id) REFERENCES connectors (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, target, identity_id) REFERENCES user_identities (tenant_id, target, identity_id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id, sso_connector_id)
    REFERENCES user_sso_identities (tenant_id, user_id, connector_id) ON DELETE CASCADE
);
CREATE INDEX token_sets_by_identity ON token_sets (tenant_id, target, identity_id);
CREATE INDEX token_sets_by_connector ON token_sets (tenant_id, connector_id);
