-- What users do with their own account: whether they may, with which parts of it, and whether a verification is for one change.
ALTER TABLE account_centers
  ADD COLUMN enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN fields jsonb,
  ADD COLUMN reuse_verifications boolean NOT NULL DEFAULT false;

-- How users have proved who they are before a sensitive change, and what they have verified to add to their account.
CREATE TABLE account_verifications (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  user_id text NOT NULL,
  -- the grant or the session in which it was begun, and in which alone it counts
  bound_to text NOT NULL,
  type text NOT NULL,
  -- whether it proves who the user is, or is something new for the account
  purpose text NOT NULL CHECK (purpose IN ('Proof', 'New')),
  state jsonb NOT NULL,
  verified_at timestamptz,
  used_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX account_verifications_of_users ON account_verifications (tenant_id, user_id, created_at);
CREATE INDEX account_verifications_by_expiry ON account_verifications (expires_at);
