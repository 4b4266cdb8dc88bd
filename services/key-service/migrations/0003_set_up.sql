-- Up Migration

-- Lets whoever reads the log of a new installation make its first administrator. Each replica logs one of its own.
CREATE TABLE set_up_tokens (
  -- SHA-256 of the token, which is stored nowhere.
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Down Migration

DROP TABLE set_up_tokens;
