-- Requests for sign-ins that applications ask for without a browser (OpenID Connect Client-Initiated Backchannel
-- Authentication). Of both secrets, the application's and that of the link which the user gets, only hashes are stored.
CREATE TABLE backchannel_requests (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  link_hash bytea NOT NULL,
  application_id text NOT NULL,
  -- whom the hint names; null: nobody, and the request stays unanswered until it expires
  user_id text,
  scopes text[] NOT NULL,
  resources text[] NOT NULL,
  authorization_details text,
  binding_message text,
  acr text,
  grant_id text,
  authenticated_at timestamptz,
  amr text[],
  -- as that of authorization_codes
  granted_scope_ids text[],
  denied_at timestamptz,
  -- seconds between two polls; grows when the application asks too often
  poll_interval integer NOT NULL,
  polled_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT backchannel_requests_link_key UNIQUE (tenant_id, link_hash),
  CONSTRAINT backchannel_requests_answer_check
    CHECK (grant_id IS NULL OR (authenticated_at IS NOT NULL AND amr IS NOT NULL)),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX backchannel_requests_by_user ON backchannel_requests (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX backchannel_requests_by_grant ON backchannel_requests (tenant_id, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX backchannel_requests_by_application ON backchannel_requests (tenant_id, application_id);
CREATE INDEX backchannel_requests_by_expiry ON backchannel_requests (expires_at);
