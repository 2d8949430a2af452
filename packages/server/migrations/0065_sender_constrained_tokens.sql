-- The thumbprint of the key (RFC 7638) that a code, a token or a family of refresh tokens is bound to; null: none.
ALTER TABLE authorization_codes ADD COLUMN jkt text;
ALTER TABLE opaque_access_tokens ADD COLUMN jkt text;
ALTER TABLE refresh_families ADD COLUMN jkt text;

-- Whether tokens for an API have to be bound to a key.
ALTER TABLE resources ADD COLUMN sender_constraint text NOT NULL DEFAULT 'none';
ALTER TABLE resources ADD CONSTRAINT resources_sender_constraint_check CHECK (sender_constraint IN ('none', 'dpop'));

-- Every DPoP proof that was used, until it is too old to be accepted (RFC 9449 section 11.1). It is written with most requests of
-- clients that send proofs, and forgotten after two minutes: not logged, and without a foreign key, which would lock the tenant.
CREATE UNLOGGED TABLE used_dpop_proofs (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash)
);
CREATE INDEX used_dpop_proofs_by_expiry ON used_dpop_proofs (expires_at);
