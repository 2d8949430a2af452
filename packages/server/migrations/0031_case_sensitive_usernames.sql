-- Usernames may differ in case alone where usernamePolicy.caseSensitive says so. A name that was written under that policy is
-- exact: it rules out only itself. Every other name rules out all that differ from it in case alone. No policy allows one
-- name twice.
ALTER TABLE users ADD COLUMN is_username_exact boolean NOT NULL DEFAULT false;
ALTER TABLE users DROP CONSTRAINT users_username_key;
CREATE UNIQUE INDEX users_username_key ON users (tenant_id, username_key) WHERE NOT is_username_exact;
-- the key first: this index finds names in any case, and by how they begin
CREATE UNIQUE INDEX users_username_exact_key ON users (tenant_id, username_key, username);
