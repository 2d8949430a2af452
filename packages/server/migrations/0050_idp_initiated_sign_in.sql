-- Sign-in that a SAML identity provider begins: where it leads, and those who have arrived and have not been signed in yet.

CREATE TABLE sso_idp_initiated_configs (
  tenant_id text NOT NULL,
  connector_id text NOT NULL,
  application_id text NOT NULL,
  -- null: the first that is registered
  redirect_uri text,
  auth_parameters jsonb NOT NULL,
  -- whether the server begins the authorization request itself; otherwise the application does, at client_callback_uri
  is_sent_by_server boolean NOT NULL,
  client_callback_uri text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, connector_id),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_idp_initiated_configs_by_application ON sso_idp_initiated_configs (tenant_id, application_id);

-- An account by the secret in the cookie of the browser that brought the assertion.
CREATE TABLE sso_arrivals (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  connector_id text NOT NULL,
  application_id text NOT NULL,
  -- the account
  sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_arrivals_by_expiry ON sso_arrivals (expires_at);
CREATE INDEX sso_arrivals_by_connector ON sso_arrivals (tenant_id, connector_id);
CREATE INDEX sso_arrivals_by_application ON sso_arrivals (tenant_id, application_id);
