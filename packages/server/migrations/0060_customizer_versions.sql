-- Earlier scripts of custom claims, so that one can be compared and restored. What they are given is not kept.
CREATE TABLE jwt_customizer_versions (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  token_type text NOT NULL,
  version integer NOT NULL,
  script text NOT NULL,
  -- the actor; null: from before versions were kept
  changed_by jsonb,
  -- the version that it was restored from
  restored_from integer,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, token_type, version),
  CONSTRAINT jwt_customizer_versions_token_type_check CHECK (token_type IN ('access-token', 'client-credentials'))
);
INSERT INTO jwt_customizer_versions (tenant_id, token_type, version, script, created_at)
SELECT tenant_id, token_type, 1, script, updated_at FROM jwt_customizers;
