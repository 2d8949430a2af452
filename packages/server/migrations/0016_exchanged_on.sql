-- An opaque token that came of the exchange of a personal access token has no grant: it names its user and its application.
ALTER TABLE opaque_access_tokens
  ALTER COLUMN grant_id DROP NOT NULL,
  ADD COLUMN user_id text,
  ADD COLUMN application_id text,
  ADD CONSTRAINT opaque_access_tokens_owner_check
    CHECK (grant_id IS NOT NULL OR (user_id IS NOT NULL AND application_id IS NOT NULL)),
  ADD CONSTRAINT opaque_access_tokens_user_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  ADD CONSTRAINT opaque_access_tokens_application_fkey FOREIGN KEY (tenant_id, application_id)
    REFERENCES applications (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX opaque_access_tokens_by_user ON opaque_access_tokens (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX opaque_access_tokens_by_application ON opaque_access_tokens (tenant_id, application_id)
  WHERE application_id IS NOT NULL;

-- What came of a subject token names it by its id, to find its context when it is exchanged on.
CREATE INDEX subject_tokens_by_id ON subject_tokens (tenant_id, id);
