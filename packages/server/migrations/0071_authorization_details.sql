-- Types of authorization details (RFC 9396): which API understands each, what it may contain, and how users read it.
CREATE TABLE authorization_details_types (
  tenant_id text NOT NULL,
  id text NOT NULL,
  resource_id text NOT NULL,
  type text NOT NULL,
  description text,
  schema jsonb NOT NULL,
  templates jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT authorization_details_types_type_key UNIQUE (tenant_id, type),
  FOREIGN KEY (tenant_id, resource_id) REFERENCES resources (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX authorization_details_types_by_resource
  ON authorization_details_types (tenant_id, resource_id, created_at DESC, id DESC);

-- What was asked for and approved, as JSON text: it is compared and handed on, never searched. Null: none.
ALTER TABLE authorization_codes ADD COLUMN authorization_details text;
ALTER TABLE refresh_families ADD COLUMN authorization_details text;
ALTER TABLE device_codes ADD COLUMN authorization_details text;
