-- The claims that an authorization request names one by one (OpenID Connect Core section 5.5), each as `place.name`; null: none.
ALTER TABLE authorization_codes ADD COLUMN claims text[];
ALTER TABLE refresh_families ADD COLUMN claims text[];
ALTER TABLE opaque_access_tokens ADD COLUMN claims text[];
