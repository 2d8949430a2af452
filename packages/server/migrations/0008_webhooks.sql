-- Webhooks: where events are sent, one row for each event that a hook has to get, and what came of every try.

CREATE TABLE hooks (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  -- the single event of older clients; what counts is events
  event text,
  events text[] NOT NULL,
  url text NOT NULL,
  -- both may hold what must not be read from a dump
  sealed_headers bytea NOT NULL,
  sealed_key bytea NOT NULL,
  -- signs beside the key until it expires
  sealed_previous_key bytea,
  previous_key_expires_at timestamptz,
  -- kept for clients that set it
  retries integer,
  is_enabled boolean NOT NULL DEFAULT true,
  is_ordered boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  disabled_at timestamptz,
  disabled_reason text,
  -- the circuit: failures since the last success, when they began, and how long to leave the receiver alone
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  paused_until timestamptz,
  CONSTRAINT hooks_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT hooks_reason_check CHECK (disabled_reason IN ('Gone', 'Failing', 'Requested')),
  CONSTRAINT hooks_previous_key_check CHECK ((sealed_previous_key IS NULL) = (previous_key_expires_at IS NULL))
);
CREATE INDEX hooks_by_age ON hooks (tenant_id, created_at DESC, id DESC);

-- The id is that of the event: a hook gets an event once, however often it is sent. There is no reference to the hook, so that
-- a hook of a million deliveries can be deleted, and so that numbering events never waits for somebody who deletes one; nothing
-- is sent for a hook that is gone, and its rows expire.
CREATE TABLE hook_deliveries (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  hook_id text NOT NULL,
  id text NOT NULL,
  sequence bigint NOT NULL,
  event text NOT NULL,
  state text NOT NULL DEFAULT 'Waiting',
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- when the next try is due; while it is being sent, when the lease of the node ends
  due_at timestamptz NOT NULL,
  finished_at timestamptz,
  CONSTRAINT hook_deliveries_pkey PRIMARY KEY (tenant_id, hook_id, id),
  CONSTRAINT hook_deliveries_state_check CHECK (state IN ('Waiting', 'Sending', 'Delivered', 'Failed'))
);
CREATE INDEX hook_deliveries_due ON hook_deliveries (tenant_id, hook_id, due_at, sequence)
  WHERE state IN ('Waiting', 'Sending');
CREATE INDEX hook_deliveries_open ON hook_deliveries (tenant_id, hook_id, sequence)
  WHERE state IN ('Waiting', 'Sending');
CREATE INDEX hook_deliveries_by_hook ON hook_deliveries (tenant_id, hook_id, created_at DESC, id DESC);
CREATE INDEX hook_deliveries_by_age ON hook_deliveries (created_at);

CREATE TABLE hook_attempts (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  hook_id text NOT NULL,
  delivery_id text NOT NULL,
  sequence bigint NOT NULL,
  event text NOT NULL,
  attempt integer NOT NULL,
  is_success boolean NOT NULL,
  status integer,
  response_headers jsonb,
  -- the first 4 KiB
  response_body text,
  error text,
  duration_ms integer NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT hook_attempts_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX hook_attempts_by_hook ON hook_attempts (tenant_id, hook_id, created_at DESC, id DESC);
CREATE INDEX hook_attempts_by_delivery ON hook_attempts (tenant_id, hook_id, delivery_id, created_at);
CREATE INDEX hook_attempts_by_age ON hook_attempts (created_at);
