-- The indexes of the audit log in the order in which entries come: what is added at the end of an index leaves full pages, what
-- is added at its beginning leaves half of each empty. Entries of one key, application or user are few at one moment, so that
-- their ids need not be in the index to put them in order.
CREATE INDEX audit_log_by_time ON audit_log (tenant_id, created_at, id);
CREATE INDEX audit_log_of_key ON audit_log (tenant_id, key, created_at);
CREATE INDEX audit_log_of_application ON audit_log (tenant_id, application_id, created_at) WHERE application_id IS NOT NULL;
CREATE INDEX audit_log_of_user ON audit_log (tenant_id, user_id, created_at) WHERE user_id IS NOT NULL;
DROP INDEX audit_log_by_age, audit_log_by_key, audit_log_by_application, audit_log_by_user;
