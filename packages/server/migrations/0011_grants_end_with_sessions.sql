-- A grant without offline_access ends when its session does, by its own expires_at. Those that were made before got 180 days.

UPDATE grants g SET expires_at = least(g.expires_at, coalesce(
  (SELECT s.expires_at FROM sessions s WHERE s.tenant_id = g.tenant_id AND s.id = g.session_id), now()))
WHERE NOT 'offline_access' = ANY(g.scopes);

-- And those that go on without a session name none that is gone.
UPDATE grants g SET session_id = NULL
WHERE g.session_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM sessions s WHERE s.tenant_id = g.tenant_id AND s.id = g.session_id);
