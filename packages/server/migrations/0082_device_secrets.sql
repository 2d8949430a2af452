-- Secrets of devices (OpenID Connect Native SSO for Mobile Apps 1.0): what the applications of a group on one device share, so that a
-- sign-in in one of them is one in all. Each ends with the session that it was issued in.
CREATE TABLE device_secrets (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  session_id text NOT NULL,
  -- nativeSsoGroup of the application that got it
  sso_group text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX device_secrets_by_session ON device_secrets (tenant_id, session_id, created_at);
