-- Up Migration

-- For automation: what a script may do without anybody signing in.
CREATE TABLE service_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- SHA-256 of the token, which is stored nowhere.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  -- The first characters of the token, so that a person recognises it in a list.
  display_prefix text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  cellars text[] NOT NULL CHECK (role = 'member' OR cellars = '{}'),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid NOT NULL REFERENCES administrators,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX service_tokens_by_creation ON service_tokens (created_at, id);

ALTER TABLE audit ADD COLUMN token_id uuid REFERENCES service_tokens;

-- Down Migration

ALTER TABLE audit DROP COLUMN token_id;
DROP TABLE service_tokens;
