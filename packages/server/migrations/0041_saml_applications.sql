-- SAML applications: service providers for which this server is the identity provider.

ALTER TABLE applications DROP CONSTRAINT applications_type_check;
ALTER TABLE applications ADD CONSTRAINT applications_type_check
  CHECK (type IN ('Native', 'SPA', 'Traditional', 'MachineToMachine', 'SAML'));

CREATE TABLE saml_applications (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  settings jsonb NOT NULL,
  PRIMARY KEY (tenant_id, application_id),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);

-- What signs assertions: one key at a time, the others are announced in the metadata.
CREATE TABLE saml_application_keys (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  id text NOT NULL,
  -- in PEM
  certificate text NOT NULL,
  sealed_private_key bytea NOT NULL,
  is_active boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, application_id, id),
  FOREIGN KEY (tenant_id, application_id) REFERENCES saml_applications (tenant_id, application_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saml_application_keys_one_active ON saml_application_keys (tenant_id, application_id) WHERE is_active;

-- Requests of applications that wait for the end of a sign-in. Those that were answered stay until they expire, so that none is
-- answered twice.
CREATE TABLE saml_requests (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  -- of the ID that the application gave the request
  request_hash bytea NOT NULL,
  -- of the state that the sign-in brings back
  state_hash bytea NOT NULL,
  details jsonb NOT NULL,
  answered_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, application_id, request_hash),
  CONSTRAINT saml_requests_state UNIQUE (tenant_id, state_hash),
  FOREIGN KEY (tenant_id, application_id) REFERENCES saml_applications (tenant_id, application_id) ON DELETE CASCADE
);
CREATE INDEX saml_requests_by_expiry ON saml_requests (expires_at);
