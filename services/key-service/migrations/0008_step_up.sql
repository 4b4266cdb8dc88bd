-- Up Migration

-- When the password was last entered again in this session.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;

-- The service token that created the key, so that it can be revoked with the tokens of whoever is disabled.
ALTER TABLE api_keys ADD COLUMN created_by_token uuid REFERENCES service_tokens;

-- Down Migration

ALTER TABLE api_keys DROP COLUMN created_by_token;
ALTER TABLE sessions DROP COLUMN confirmed_at;
