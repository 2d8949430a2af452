-- Whether a directory may only have users with addresses at its domains.
ALTER TABLE scim_directories ADD COLUMN restricts_domains boolean NOT NULL DEFAULT false;
