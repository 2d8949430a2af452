-- Where each role of a user came from, from now on; null: it was given before that was recorded. The id is that of the user or the
-- application who gave it, of the directory, or of the invitation.
ALTER TABLE users_roles ADD COLUMN origin text, ADD COLUMN origin_id text;
ALTER TABLE organization_user_roles ADD COLUMN origin text, ADD COLUMN origin_id text;
