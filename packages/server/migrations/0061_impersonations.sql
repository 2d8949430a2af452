-- Impersonations that have not ended: a token by which an administrator, or an application, acts as a user. The id is that of the subject
-- token that it was exchanged for.
CREATE TABLE impersonations (
  tenant_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  application_id text NOT NULL,
  resource_id text NOT NULL,
  organization_id text,
  scopes text[] NOT NULL,
  reason text NOT NULL,
  -- of the access token, which is revoked by it
  jti text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT impersonations_actor_type_check CHECK (actor_type IN ('user', 'application')),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, resource_id) REFERENCES resources (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX impersonations_by_age ON impersonations (tenant_id, created_at DESC, id DESC);
CREATE INDEX impersonations_by_user ON impersonations (tenant_id, user_id);
CREATE INDEX impersonations_by_application ON impersonations (tenant_id, application_id);
CREATE INDEX impersonations_by_resource ON impersonations (tenant_id, resource_id);
CREATE INDEX impersonations_by_organization ON impersonations (tenant_id, organization_id);
CREATE INDEX impersonations_by_expiry ON impersonations (expires_at);
