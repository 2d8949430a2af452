-- A pushed request is used up when a code is issued for it, not when its page loads: from the first load on the row stays as
-- long as the sign-in may take. The request_uri loads until usable_until; without one, until expires_at.
ALTER TABLE pushed_requests ADD COLUMN usable_until timestamptz;
