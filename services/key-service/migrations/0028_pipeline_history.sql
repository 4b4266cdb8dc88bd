-- Up Migration

-- What the replicas of ingest and of the sink reported, in steps of 30 seconds, for a week. The rates of a report cover the
-- last 30 seconds; of delay and lag, the highest of the step counts.
CREATE TABLE pipeline_history (
  step timestamptz NOT NULL,
  process uuid NOT NULL,
  accepted float8,
  rejected float8,
  failed float8,
  stored float8,
  behind_ms float8,
  lag bigint,
  PRIMARY KEY (step, process)
) WITH (fillfactor = 50);

-- Down Migration

DROP TABLE pipeline_history;
