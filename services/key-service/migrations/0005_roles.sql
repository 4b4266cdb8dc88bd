-- Up Migration

-- Whoever is there may do everything, and goes on doing so.
ALTER TABLE administrators
  ADD COLUMN role text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'member')),
  -- Nobody is deleted: the audit and the keys refer to whoever made them.
  ADD COLUMN disabled_at timestamptz;
ALTER TABLE administrators ALTER COLUMN role DROP DEFAULT;

-- The cellars of a member. An owner has none here, and all.
CREATE TABLE grants (
  administrator_id uuid NOT NULL REFERENCES administrators,
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  PRIMARY KEY (administrator_id, cellar)
);

-- Who may join. The row goes when they do, or when it is withdrawn.
CREATE TABLE invitations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- SHA-256 of the token in the link, which is stored nowhere.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  cellars text[] NOT NULL CHECK (role = 'member' OR cellars = '{}'),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES administrators,
  expires_at timestamptz NOT NULL
);

-- Down Migration

DROP TABLE invitations, grants;
ALTER TABLE administrators DROP COLUMN role, DROP COLUMN disabled_at;
