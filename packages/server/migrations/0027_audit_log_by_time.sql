-- Few entries are of the same millisecond: their ids need not be in the index to put them in order.
CREATE INDEX audit_log_by_moment ON audit_log (tenant_id, created_at);
DROP INDEX audit_log_by_time;
