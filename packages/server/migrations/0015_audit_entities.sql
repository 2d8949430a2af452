-- The ids of what an operation concerned, so that the entries about one user or role are found. Entries from before, and those
-- of tokens, have none and are not in the index.

ALTER TABLE audit_log ADD COLUMN entities text[];
CREATE INDEX audit_log_by_entity ON audit_log USING gin (entities) WHERE entities IS NOT NULL;
