-- How an application looks on the sign-in and consent pages, where it differs from the tenant; null: nothing was set.
ALTER TABLE applications ADD COLUMN sign_in_experience jsonb;
