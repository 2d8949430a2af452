-- What sign-in needs beside the code flow: device codes, verification codes, connectors that carry messages, the queue of
-- what leaves the server after a commit, consent scopes of third-party applications, key chains by algorithm.

-- RFC 8628. Both codes are kept as hashes. A row is answered by a user (grant_id, or denied_at) and used up by the device.
CREATE TABLE device_codes (
  tenant_id text NOT NULL,
  hash bytea NOT NULL,
  user_code_hash bytea NOT NULL,
  application_id text NOT NULL,
  scopes text[] NOT NULL,
  resources text[] NOT NULL,
  grant_id text,
  authenticated_at timestamptz,
  amr text[],
  -- as that of authorization_codes
  granted_scope_ids text[],
  denied_at timestamptz,
  -- seconds between two polls; grows when the device asks too often
  poll_interval integer NOT NULL,
  polled_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT device_codes_user_code_key UNIQUE (tenant_id, user_code_hash),
  CONSTRAINT device_codes_answer_check CHECK (grant_id IS NULL OR (authenticated_at IS NOT NULL AND amr IS NOT NULL)),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, grant_id) REFERENCES grants (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX device_codes_by_grant ON device_codes (tenant_id, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX device_codes_by_application ON device_codes (tenant_id, application_id);
CREATE INDEX device_codes_by_expiry ON device_codes (expires_at);

-- Codes that were sent to an address (DECISIONS L3). Bound to what they prove: identifier, purpose and interaction
-- (SECURITY R-27). The code is kept as an HMAC under the master key: six digits have no other protection at rest.
CREATE TABLE verification_codes (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  purpose text NOT NULL,
  interaction_id text NOT NULL,
  identifier_hash bytea NOT NULL,
  code_mac bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX verification_codes_by_interaction ON verification_codes (tenant_id, interaction_id);
CREATE INDEX verification_codes_by_expiry ON verification_codes (expires_at);

-- When something was sent to a recipient, for the limit of DECISIONS L3. The recipient is kept as a hash.
CREATE TABLE message_sends (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  recipient_hash bytea NOT NULL,
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX message_sends_by_recipient ON message_sends (tenant_id, recipient_hash, sent_at);
CREATE INDEX message_sends_by_age ON message_sends (sent_at);

-- What carries messages to people: mail today. The configuration holds passwords and is sealed.
CREATE TABLE connectors (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  type text NOT NULL,
  -- the kind of connector, such as simple-mail-transfer-protocol
  connector_id text NOT NULL,
  sealed_config bytea NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
-- one connector of a type carries its messages
CREATE UNIQUE INDEX connectors_one_per_type ON connectors (tenant_id, type);

-- What is to leave the server after the commit that caused it: logout tokens, mail. Taken by any node, with a lease.
CREATE TABLE dispatches (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  kind text NOT NULL,
  sealed_payload bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL,
  -- when it may be taken; while a node has it, when its lease ends
  due_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX dispatches_by_due ON dispatches (due_at);

-- What a third-party application may ask users for (DECISIONS F4).
CREATE TABLE applications_consent_user_scopes (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  user_scope text NOT NULL,
  PRIMARY KEY (tenant_id, application_id, user_scope),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE
);
CREATE TABLE applications_consent_resource_scopes (
  tenant_id text NOT NULL,
  application_id text NOT NULL,
  scope_id text NOT NULL,
  PRIMARY KEY (tenant_id, application_id, scope_id),
  FOREIGN KEY (tenant_id, application_id) REFERENCES applications (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, scope_id) REFERENCES scopes (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX applications_consent_resource_scopes_by_scope
  ON applications_consent_resource_scopes (tenant_id, scope_id);

-- The permissions that the user held when they authorized: what is gained later needs a new authorization (SPEC 3, DECISIONS
-- G4). Null: authorized through a version that did not keep it; then what they hold when a token is issued counts.
ALTER TABLE authorization_codes ADD COLUMN granted_scope_ids text[];
ALTER TABLE refresh_families ADD COLUMN granted_scope_ids text[];

-- Keys of chain 'main' sign access tokens and, unless a client asks for another algorithm, ID tokens. The chain of an
-- algorithm signs the ID tokens of the clients that ask for it (DECISIONS G1).
ALTER TABLE signing_keys ADD COLUMN chain text NOT NULL DEFAULT 'main';

-- Through which application a session began, and how: what the Management API shows of it.
ALTER TABLE sessions ADD COLUMN application_id text;
ALTER TABLE sessions ADD COLUMN last_submission jsonb;
