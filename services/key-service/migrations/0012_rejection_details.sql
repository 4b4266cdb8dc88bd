-- Up Migration

-- What the client of the last rejection was told: the field, the expected and the received type.
ALTER TABLE refusals ADD COLUMN detail text;

-- Requests without an API key, or with an unknown one. They belong to no cellar.
CREATE TABLE unauthenticated_requests (
  minute timestamptz PRIMARY KEY,
  missing bigint NOT NULL,
  unknown bigint NOT NULL
);

-- Down Migration

DROP TABLE unauthenticated_requests;
ALTER TABLE refusals DROP COLUMN detail;
