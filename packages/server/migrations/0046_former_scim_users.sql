-- Every new user is compared with those whom the directory has deprovisioned, which are few; without this, all of its users were read.
CREATE INDEX scim_users_deprovisioned ON scim_users (tenant_id, directory_id, user_name_key) WHERE is_deprovisioned;
