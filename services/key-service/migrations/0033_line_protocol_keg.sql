-- Up Migration

-- How the keg of a field of InfluxDB line protocol is named. The previous version of ingest uses the default.
ALTER TABLE cellars ADD COLUMN line_protocol_keg text NOT NULL DEFAULT '{measurement}.{field}{tags}';

-- Down Migration

ALTER TABLE cellars DROP COLUMN line_protocol_keg;
