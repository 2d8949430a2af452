-- Two references are checked by nothing any more when a row is written, which cost PostgreSQL as much as writing it: each
-- check reads and locks the row that is named, and audit entries of all requests lock the one row of their tenant. What is
-- deleted with the row that they named still is, by these triggers.

-- An entry that is written while its tenant is deleted may stay behind; it must not be found by a tenant of the same name.
ALTER TABLE audit_log DROP CONSTRAINT audit_log_tenant_id_fkey;
CREATE FUNCTION forget_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM audit_log WHERE tenant_id = coalesce(OLD.id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER tenants_forget_audit_log AFTER INSERT OR DELETE ON tenants
  FOR EACH ROW EXECUTE FUNCTION forget_audit_log();

-- A token is worth nothing without its grant, which every statement that reads it joins; one that is left behind expires.
ALTER TABLE opaque_access_tokens DROP CONSTRAINT opaque_access_tokens_tenant_id_grant_id_fkey;
CREATE FUNCTION forget_opaque_access_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM opaque_access_tokens WHERE tenant_id = OLD.tenant_id AND grant_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER grants_forget_opaque_access_tokens AFTER DELETE ON grants
  FOR EACH ROW EXECUTE FUNCTION forget_opaque_access_tokens();
