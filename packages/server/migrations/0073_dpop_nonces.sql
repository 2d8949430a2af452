-- Whether proofs of possession (RFC 9449) must carry the server's nonce: of every application of a tenant, and for tokens of an API.
ALTER TABLE security_settings ADD COLUMN requires_nonce boolean NOT NULL DEFAULT false;
ALTER TABLE resources ADD COLUMN requires_nonce boolean NOT NULL DEFAULT false;
