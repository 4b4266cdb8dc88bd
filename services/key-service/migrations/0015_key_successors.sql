-- Up Migration

-- The page of a key shows the key that replaced it.
CREATE INDEX api_keys_rotated_from ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL;

-- Down Migration

DROP INDEX api_keys_rotated_from;
