-- The thumbprint of the client certificate (RFC 8705) that a code, a token or a family of refresh tokens is bound to; null: none.
ALTER TABLE authorization_codes ADD COLUMN x5t text;
ALTER TABLE opaque_access_tokens ADD COLUMN x5t text;
ALTER TABLE refresh_families ADD COLUMN x5t text;

-- Tokens for an API may have to be bound to a certificate as well.
ALTER TABLE resources DROP CONSTRAINT resources_sender_constraint_check;
ALTER TABLE resources ADD CONSTRAINT resources_sender_constraint_check CHECK (sender_constraint IN ('none', 'dpop', 'mtls'));
