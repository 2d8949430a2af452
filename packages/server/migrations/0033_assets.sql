-- Uploaded images. The row is there before the file, so that a file that is left behind is known. check_at: when to see whether
-- anything uses the file (null: it stays); is_used: whether something did at the last check.
CREATE TABLE assets (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  name text NOT NULL,
  bytes integer NOT NULL,
  is_used boolean NOT NULL DEFAULT false,
  check_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);
CREATE INDEX assets_to_check ON assets (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX assets_unused ON assets (tenant_id) INCLUDE (bytes) WHERE check_at IS NOT NULL AND NOT is_used;

-- Files whose row has gone, until they are deleted. Not of a tenant, because it may have gone too.
CREATE TABLE removed_assets (
  path text PRIMARY KEY,
  removed_at timestamptz NOT NULL
);
CREATE INDEX removed_assets_by_age ON removed_assets (removed_at);

-- Which user has an uploaded avatar: the end of its address is the name of the file.
CREATE INDEX users_by_asset ON users (tenant_id, right(avatar, 26)) WHERE avatar LIKE '%/assets/%';
