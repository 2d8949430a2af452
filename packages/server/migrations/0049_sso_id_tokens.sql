-- The ID token that a session was made by, sealed: an identity provider wants to see it again when the user signs out there too.
-- NULL unless the connector says so.
ALTER TABLE sso_sessions ADD COLUMN sealed_id_token bytea;
