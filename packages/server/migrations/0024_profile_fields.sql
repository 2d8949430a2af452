-- What users are asked for when they register, beside identifiers and passwords.
CREATE TABLE custom_profile_fields (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  -- of the value in the profile or the custom data of a user
  name text NOT NULL,
  type text NOT NULL,
  label text NOT NULL,
  description text,
  required boolean NOT NULL,
  config jsonb NOT NULL,
  -- its place among the fields, ascending
  sie_order integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT custom_profile_fields_name_key UNIQUE (tenant_id, name)
);
