-- The session that a grant was made in, where it is not the session's one grant to the application: of a device, which has
-- a grant of its own, and of one that went on when its session ended.
ALTER TABLE grants ADD COLUMN original_session_id text;
CREATE INDEX grants_by_original_session ON grants (tenant_id, original_session_id) WHERE original_session_id IS NOT NULL;

-- The session that an opaque token ends with: it was authorized without offline_access, in a grant that may have it by now.
ALTER TABLE opaque_access_tokens ADD COLUMN session_id text;
