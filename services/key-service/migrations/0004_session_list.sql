-- Up Migration

-- What a person sees of their sessions. Those of before have no beginning, so everybody signs in once more.
DELETE FROM sessions;
ALTER TABLE sessions
  -- Names the session in lists; it opens nothing.
  ADD COLUMN id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN address text,
  ADD COLUMN user_agent text;
CREATE INDEX sessions_by_administrator ON sessions (administrator_id, created_at, id);

-- Down Migration

DROP INDEX sessions_by_administrator;
ALTER TABLE sessions DROP COLUMN id, DROP COLUMN created_at, DROP COLUMN address, DROP COLUMN user_agent;
