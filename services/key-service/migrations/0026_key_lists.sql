-- Up Migration

-- For pages of keys by name.
-- IF NOT EXISTS: on a large table, an operator creates both indexes CONCURRENTLY before the upgrade (docs/upgrades.md).
CREATE INDEX IF NOT EXISTS api_keys_by_name ON api_keys (cellar, (lower(name) COLLATE "C"), id);

-- For the number of active keys, and pages of keys by expiry. A scan reads `expires_at` from the index alone.
CREATE INDEX IF NOT EXISTS api_keys_active ON api_keys (cellar, (coalesce(expires_at, 'infinity')), id)
  INCLUDE (expires_at) WHERE revoked_at IS NULL;

-- Down Migration

DROP INDEX api_keys_by_name, api_keys_active;
