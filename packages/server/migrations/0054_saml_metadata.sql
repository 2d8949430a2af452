-- Metadata of SAML identity providers as it was read last, so that a restart while one cannot be reached still signs users in.
CREATE TABLE saml_metadata (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- of the address, and of the entity ID that is meant
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  fetched_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash)
);
CREATE INDEX saml_metadata_by_expiry ON saml_metadata (expires_at);

-- The sign-in that a visit belongs to, which has one at a time. NULL: a user who signs out.
ALTER TABLE saml_visits ADD COLUMN interaction_id text;
CREATE UNIQUE INDEX saml_visits_by_interaction ON saml_visits (tenant_id, interaction_id);
