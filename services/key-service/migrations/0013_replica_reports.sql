-- Up Migration

-- The latest health report of each replica of ingest and of the sink. Unlogged: it is rewritten every two seconds, and
-- after a crash or a fail-over of PostgreSQL the replicas have filled it again within seconds.
CREATE UNLOGGED TABLE replica_reports (
  process uuid PRIMARY KEY,
  service text NOT NULL CHECK (service IN ('ingest', 'sink')),
  host text NOT NULL,
  reported_at timestamptz NOT NULL DEFAULT now(),
  report jsonb NOT NULL
) WITH (fillfactor = 50);

-- Down Migration

DROP TABLE replica_reports;
