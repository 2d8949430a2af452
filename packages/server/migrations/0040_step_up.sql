-- Whether the authorization request asked for a new or a stronger sign-in (RFC 9470).
ALTER TABLE authorization_codes ADD COLUMN is_step_up boolean NOT NULL DEFAULT false;
-- When the user signed in for a token of such an authorization; null once that has proved who they are to the Account API.
ALTER TABLE opaque_access_tokens ADD COLUMN step_up_at timestamptz;
