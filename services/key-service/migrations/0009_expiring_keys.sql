-- Up Migration

-- Each replica counts the keys that expire soon once a minute. Few keys of a large fleet have an expiry.
CREATE INDEX api_keys_expiring ON api_keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

-- Down Migration

DROP INDEX api_keys_expiring;
