-- What pages of an account show: a link for its deletion, a style sheet, and which fields of the profile.
ALTER TABLE account_centers
  ADD COLUMN delete_account_url text,
  ADD COLUMN custom_css text,
  ADD COLUMN profile_fields text[];
