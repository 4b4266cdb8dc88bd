-- Up Migration

-- The last use of each key. Its rows are narrow and no index has the time, so a use changes one page (HOT) and not the
-- indexes of api_keys. No foreign key: its check would lock, and so write, the row of the key.
-- Uses before this migration stay in api_keys.last_used_at, where the previous version still writes them.
CREATE TABLE key_uses (
  key_id uuid PRIMARY KEY,
  at timestamptz NOT NULL
) WITH (fillfactor = 70);

-- Down Migration

DROP TABLE key_uses;
