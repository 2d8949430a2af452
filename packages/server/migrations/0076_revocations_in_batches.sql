-- Numbering takes the first of many.
DROP INDEX revocations_unnumbered;
CREATE INDEX revocations_unnumbered ON revocations (tenant_id, position) WHERE sequence IS NULL;
