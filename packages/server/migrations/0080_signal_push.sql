-- Streams whose events are pushed to an address of the receiver (RFC 8935), with the Authorization header that it wants, sealed. While a node pushes, due_at is
-- the end of its lease.
ALTER TABLE signal_streams
  ADD COLUMN endpoint_url text,
  ADD COLUMN sealed_authorization bytea,
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN due_at timestamptz,
  ADD COLUMN failing_since timestamptz,
  ADD CONSTRAINT signal_streams_push_check CHECK ((endpoint_url IS NULL) = (due_at IS NULL) AND (endpoint_url IS NOT NULL OR sealed_authorization IS NULL));
CREATE INDEX signal_streams_pushed ON signal_streams (due_at) WHERE endpoint_url IS NOT NULL;
