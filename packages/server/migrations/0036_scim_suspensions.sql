-- Whether the directory has suspended the account: only then does it reactivate it. What an administrator suspended stays so.
ALTER TABLE scim_users ADD COLUMN has_suspended boolean NOT NULL DEFAULT false;
