-- Up Migration

CREATE TABLE administrators (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- In lower case: a person does not remember how the address was typed.
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- A name is never deleted and never given out again: readings, consumers and dashboards hold it.
-- It sorts by its bytes, so that pages follow each other the same way on every machine.
CREATE TABLE cellars (
  name text COLLATE "C" PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  retention_days integer NOT NULL CHECK (retention_days BETWEEN 1 AND 3650),
  rate_per_second double precision CHECK (rate_per_second > 0),
  rate_burst integer CHECK (rate_burst > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid REFERENCES administrators,
  archived_at timestamptz,
  archived_by uuid REFERENCES administrators,
  CHECK ((rate_per_second IS NULL) = (rate_burst IS NULL))
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- SHA-256 of the key. The key itself is stored nowhere.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  -- The first characters of the key, so that a person recognises it in a list.
  display_prefix text NOT NULL,
  rack text,
  rack_prefix text,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['ingest', 'read']),
  rate_per_second double precision CHECK (rate_per_second > 0),
  rate_burst integer CHECK (rate_burst > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid REFERENCES administrators,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid REFERENCES administrators,
  last_used_at timestamptz,
  rotated_from uuid REFERENCES api_keys,
  -- What the client named its request to create the key, so that a repeated request makes no second key.
  request_id text,
  CHECK (rack IS NULL OR rack_prefix IS NULL),
  CHECK ((rate_per_second IS NULL) = (rate_burst IS NULL)),
  UNIQUE (cellar, request_id)
);

CREATE INDEX api_keys_by_creation ON api_keys (cellar, created_at, id);

-- The number of the last change. A sequence would not do: it gives numbers out before the commit, so that a
-- reader could see 8, remember it, and never learn of 7, which commits later. The lock on this one row makes
-- the numbers gapless and lets them follow the order of the commits.
CREATE TABLE counter (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  value bigint NOT NULL
);
INSERT INTO counter (value) VALUES (0);

-- What has changed, for those who keep copies. Old rows are deleted from the front.
CREATE TABLE changes (
  number bigint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('key', 'cellar')),
  hash bytea CHECK ((kind = 'key') = (hash IS NOT NULL)),
  cellar text CHECK ((kind = 'cellar') = (cellar IS NOT NULL)),
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX changes_by_time ON changes (at);

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id uuid REFERENCES administrators,
  -- The name as it was then.
  actor text NOT NULL,
  address text,
  action text NOT NULL,
  cellar text COLLATE "C",
  key_id uuid,
  change_number bigint,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_by_cellar ON audit (cellar, id);

-- Down Migration

DROP TABLE audit, changes, counter, api_keys, cellars, administrators;
