-- Up Migration

-- Who is signed in. Signing out deletes the row for good: a cache that is put back to an old state revives nothing.
CREATE TABLE sessions (
  -- SHA-256 of the id that the browser has, which is stored nowhere.
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  administrator_id uuid NOT NULL REFERENCES administrators,
  -- The history in which it was opened. Another one may lack a sign-out, so it ends every session.
  epoch text NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- Down Migration

DROP TABLE sessions;
