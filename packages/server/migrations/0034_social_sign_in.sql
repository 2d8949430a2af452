-- Sign-in at providers elsewhere: under which identity users are known there, and sign-ins that are under way.

-- What users.identities shows, as it is looked up and kept unique: one account of a provider belongs to one user.
CREATE TABLE user_identities (
  tenant_id text NOT NULL,
  target text NOT NULL,
  -- at the provider
  identity_id text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, target, identity_id),
  CONSTRAINT user_identities_one_per_target UNIQUE (tenant_id, user_id, target),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);

-- A request to a provider that has not been answered. The answer removes the row: of several answers one finds it.
CREATE TABLE federation_requests (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- of the state, and of what the request belongs to
  hash bytea NOT NULL,
  -- where it was made in a sign-in, of which there is one at a time
  interaction_id text,
  connector_id text NOT NULL,
  -- what the answer is held against: nonce, PKCE verifier, redirect URI
  sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT federation_requests_one_per_interaction UNIQUE (tenant_id, interaction_id),
  FOREIGN KEY (tenant_id, interaction_id) REFERENCES interactions (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX federation_requests_by_expiry ON federation_requests (expires_at);
