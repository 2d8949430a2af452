-- Sign-outs that lead a browser through the SAML applications of a session, one after the other.
CREATE TABLE saml_logouts (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  -- of the value in the cookie of the browser
  secret_hash bytea NOT NULL,
  -- where it ends: an address, or the answer to the application that asked
  sealed_end bytea NOT NULL,
  -- an application of the session could not be reached
  is_partial boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT saml_logouts_secret UNIQUE (tenant_id, secret_hash)
);
CREATE INDEX saml_logouts_by_expiry ON saml_logouts (expires_at);

-- The request to each of the applications. Its user and its session are gone by then.
CREATE TABLE saml_logout_requests (
  tenant_id text NOT NULL,
  logout_id text NOT NULL,
  position integer NOT NULL,
  application_id text NOT NULL,
  user_id text NOT NULL,
  session_id text NOT NULL,
  -- its ID, once it is sent
  request_id text,
  state text NOT NULL CHECK (state IN ('waiting', 'sent', 'ended', 'failed')),
  PRIMARY KEY (tenant_id, logout_id, position),
  CONSTRAINT saml_logout_requests_id UNIQUE (tenant_id, application_id, request_id),
  FOREIGN KEY (tenant_id, logout_id) REFERENCES saml_logouts (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, application_id) REFERENCES saml_applications (tenant_id, application_id) ON DELETE CASCADE
);
