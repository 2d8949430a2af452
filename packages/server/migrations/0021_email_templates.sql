-- Mail as an operator writes it, by language and usage; it comes before the texts of connectors and of the server.
CREATE TABLE email_templates (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  -- BCP 47
  language_tag text NOT NULL,
  -- what the message is for, such as SignIn
  template_type text NOT NULL,
  details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT email_templates_of_usage UNIQUE (tenant_id, language_tag, template_type)
);
