-- The state of the server counts these of the last day. Nearly no event is one, so that the index stays small and costs others nothing.
CREATE INDEX events_of_limits ON events (tenant_id, type, created_at)
  WHERE type IN ('Identifier.Lockout', 'Message.RateLimited');
