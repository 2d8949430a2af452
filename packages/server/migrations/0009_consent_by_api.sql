-- What a user agreed to with a third-party application, beside the scopes of OpenID Connect: the ids of APIs, of their
-- permissions, and of permissions of organizations. A name alone says nothing: at another API it means something else.
-- Null: a first-party application, which needs no consent, or a version that kept names only; then a third-party one asks again.
ALTER TABLE grants ADD COLUMN consented_ids text[];
