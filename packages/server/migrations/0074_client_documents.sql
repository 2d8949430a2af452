-- Clients whose id is the address of a document about them. Each is a row of applications too, so that grants and tokens refer to it as
-- to any other. Without a row of settings a tenant takes none.
CREATE TABLE client_document_settings (
  tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  is_enabled boolean NOT NULL
);
CREATE TABLE client_documents (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  -- what the document says that its client is called, which nobody has checked
  stated_name text,
  etag text,
  fetched_at timestamptz NOT NULL,
  fresh_until timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, application_id),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX client_documents_unused ON client_documents (fetched_at) WHERE last_used_at IS NULL;
