-- Custom claims: a script of the tenant for each kind of access token (DECISIONS J). What it is given is sealed.
CREATE TABLE jwt_customizers (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  -- as in the address: access-token, of users; client-credentials, of machines
  token_type text NOT NULL,
  script text NOT NULL,
  sealed_environment_variables bytea,
  context_sample jsonb,
  token_sample jsonb,
  block_issuance_on_error boolean NOT NULL DEFAULT true,
  -- milliseconds of CPU
  cpu_limit integer NOT NULL DEFAULT 100,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, token_type),
  CONSTRAINT jwt_customizers_token_type_check CHECK (token_type IN ('access-token', 'client-credentials')),
  CONSTRAINT jwt_customizers_cpu_limit_check CHECK (cpu_limit BETWEEN 1 AND 1000)
);
