-- Up Migration

-- Copies of the dead letters in Kafka, with what was decided about them. Kafka keeps them for 30 days.
CREATE TABLE dead_letters (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Where the message came from. A topic that was created again has the same offsets again, so the payload counts too.
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  digest bytea NOT NULL,
  at timestamptz NOT NULL,
  reason text NOT NULL,
  key bytea NOT NULL,
  value bytea NOT NULL,
  size integer NOT NULL,
  is_truncated boolean NOT NULL,
  headers jsonb NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'replaying', 'replayed', 'discarded')),
  changed_at timestamptz,
  UNIQUE (topic, partition, "offset", digest)
);
CREATE INDEX dead_letters_by_state ON dead_letters (state, id);

-- Down Migration

DROP TABLE dead_letters;
