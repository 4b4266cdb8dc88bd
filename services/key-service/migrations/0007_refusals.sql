-- Up Migration

-- What ingest refused of keys that exist, by minute. One row for each kind, however many there were.
CREATE TABLE refusals (
  cellar text COLLATE "C" NOT NULL REFERENCES cellars,
  minute timestamptz NOT NULL,
  key_id uuid NOT NULL REFERENCES api_keys,
  code text NOT NULL,
  -- Empty where no field was wrong.
  field text NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  last_at timestamptz NOT NULL,
  -- Of the last of them that told one.
  rack text,
  PRIMARY KEY (cellar, minute, key_id, code, field)
);
CREATE INDEX refusals_by_minute ON refusals (minute);

-- Which report of each process of ingest was counted last: a report that comes again adds nothing.
CREATE TABLE refusal_reporters (
  id uuid PRIMARY KEY,
  sequence bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);

-- Down Migration

DROP TABLE refusals, refusal_reporters;
