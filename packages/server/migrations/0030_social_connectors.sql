-- Connectors at which users sign in elsewhere: one of each target, beside the one of each type that carries messages.
ALTER TABLE connectors
  -- under which users have their identities; null: it carries messages
  ADD COLUMN target text,
  -- whether name and picture are taken over at every sign-in, not only at registration
  ADD COLUMN sync_profile boolean NOT NULL DEFAULT false;
DROP INDEX connectors_one_per_type;
CREATE UNIQUE INDEX connectors_one_per_type ON connectors (tenant_id, type) WHERE target IS NULL;
CREATE UNIQUE INDEX connectors_by_target ON connectors (tenant_id, target) WHERE target IS NOT NULL;
