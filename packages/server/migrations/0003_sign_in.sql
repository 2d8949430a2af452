-- Sessions of browsers, grants to applications, and what hangs on them: codes, refresh families, opaque tokens,
-- interactions, pushed requests, lock-outs, and the sign-in settings of a tenant.
--
-- A grant is what a user gave an application in a session; deleting it deletes every code and token that came of it.

CREATE TABLE sessions (
  tenant_id text NOT NULL,
  id text NOT NULL,
  secret_hash bytea NOT NULL,
  user_id text NOT NULL,
  authenticated_at timestamptz NOT NULL,
  amr text[] NOT NULL,
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT sessions_secret_key UNIQUE (tenant_id, secret_hash),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id, created_at DESC, id DESC);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE grants (
  tenant_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  application_id text NOT NULL,
  -- kept when the session ends, if the application may refresh without it
  session_id text,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX grants_one_per_session ON grants (tenant_id, session_id, application_id) WHERE session_id IS NOT NULL;
CREATE INDEX grants_by_user ON grants (tenant_id, user_id, application_id, created_at);
CREATE INDEX grants_by_application ON grants (tenant_id, application_id);
CREATE INDEX grants_by_expiry ON grants (expires_at);

CREATE TABLE authorization_codes (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  grant_id text NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  resources text[] NOT NULL,
  nonce text,
  code_challenge text,
  acr text,
  authenticated_at timestamptz NOT NULL,
  amr text[] NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  -- the access token that it was redeemed for, revoked when the code is used again (SECURITY R-8)
  issued_jti text,
  issued_until timestamptz,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX authorization_codes_by_grant ON authorization_codes (tenant_id, grant_id);
CREATE INDEX authorization_codes_by_expiry ON authorization_codes (expires_at);

-- A family of refresh tokens. The token itself is derived from the family, its generation and the master key, so the row
-- is a counter: rotation adds one, and a token of an older generation is known for what it is.
CREATE TABLE refresh_families (
  tenant_id text NOT NULL,
  id text NOT NULL,
  grant_id text NOT NULL,
  scopes text[] NOT NULL,
  resources text[] NOT NULL,
  nonce text,
  authenticated_at timestamptz NOT NULL,
  amr text[] NOT NULL,
  generation integer NOT NULL DEFAULT 0,
  rotated_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX refresh_families_by_grant ON refresh_families (tenant_id, grant_id);
CREATE INDEX refresh_families_by_expiry ON refresh_families (expires_at);

CREATE TABLE opaque_access_tokens (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  grant_id text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX opaque_access_tokens_by_grant ON opaque_access_tokens (tenant_id, grant_id);
CREATE INDEX opaque_access_tokens_by_expiry ON opaque_access_tokens (expires_at);

-- One authorization request on its way through the pages. Bound to the browser that began it.
CREATE TABLE interactions (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  browser_hash bytea NOT NULL,
  request jsonb NOT NULL,
  state jsonb NOT NULL,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX interactions_by_expiry ON interactions (expires_at);

CREATE TABLE pushed_requests (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  application_id text NOT NULL,
  parameters jsonb NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX pushed_requests_by_expiry ON pushed_requests (expires_at);

-- Consecutive failures of an identifier (DECISIONS L2). The identifier itself is not kept, its hash is.
CREATE TABLE identifier_failures (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  identifier_hash bytea NOT NULL,
  failures integer NOT NULL,
  locked_until timestamptz,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, identifier_hash)
);
CREATE INDEX identifier_failures_by_age ON identifier_failures (updated_at);

CREATE TABLE sign_in_experiences (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  settings jsonb NOT NULL
);
