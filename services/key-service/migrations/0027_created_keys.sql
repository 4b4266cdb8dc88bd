-- Up Migration

-- For revoking what a disabled user has created. IF NOT EXISTS: see 0026.
CREATE INDEX IF NOT EXISTS api_keys_by_creator ON api_keys (created_by, id) WHERE revoked_at IS NULL;
CREATE INDEX IF NOT EXISTS api_keys_by_token ON api_keys (created_by_token, id)
  WHERE revoked_at IS NULL AND created_by_token IS NOT NULL;

-- Down Migration

DROP INDEX api_keys_by_creator, api_keys_by_token;
