-- The operator's own words on the pages, over those of the server.
CREATE TABLE custom_phrases (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  -- BCP 47, in its canonical form
  language_tag text NOT NULL,
  -- texts by key, or by two keys
  translation jsonb NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT custom_phrases_of_language UNIQUE (tenant_id, language_tag)
);
