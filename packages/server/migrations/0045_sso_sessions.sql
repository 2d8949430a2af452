-- Which session at the identity provider of a company a session was made by, so that it ends with that one.
CREATE TABLE sso_sessions (
  tenant_id text NOT NULL,
  session_id text NOT NULL,
  connector_id text NOT NULL,
  issuer text NOT NULL,
  -- of the user, at the identity provider
  identity_id text NOT NULL,
  -- what the provider calls its session: sid in ID tokens, SessionIndex in SAML
  provider_session_id text,
  PRIMARY KEY (tenant_id, session_id),
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_sessions_by_identity ON sso_sessions (tenant_id, connector_id, identity_id);
CREATE INDEX sso_sessions_by_provider_session ON sso_sessions (tenant_id, connector_id, provider_session_id);
