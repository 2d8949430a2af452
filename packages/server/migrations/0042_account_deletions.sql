-- Accounts that their users delete: until the deletion is due they can be kept, by a sign-in or by the link of a message.
CREATE TABLE account_deletions (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  -- of the secret in the link
  secret_hash bytea NOT NULL,
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX account_deletions_by_link ON account_deletions (tenant_id, secret_hash);
CREATE INDEX account_deletions_by_time ON account_deletions (due_at);

ALTER TABLE account_centers ADD COLUMN deletion_delay_days integer NOT NULL DEFAULT 14;
