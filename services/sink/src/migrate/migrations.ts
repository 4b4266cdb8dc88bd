import { RETENTION_DAYS } from '@cellarman/contracts';
import { TABLES } from '../clickhouse.ts';
import { YEARS } from '../lines/timestamp.ts';

export interface Migration {
  number: number;
  name: string;
  /** Each can run twice, and beside itself in another process: ClickHouse has no lock to hold. */
  statements: readonly string[];
}

/**
 * Names and types are those of the topic. The defaults of the required columns break a constraint, because JSONEachRow
 * fills a missing field with the default: without them a reading without a value would be stored as 0.
 */
const columns = `(
  cellar String DEFAULT '',
  rack String DEFAULT '',
  keg String DEFAULT '',
  value Float64 DEFAULT nan,
  timestamp DateTime64(9, 'UTC') DEFAULT toDateTime64('1900-01-01 00:00:00', 9, 'UTC') - 1 CODEC(Delta, Default),
  received_at DateTime64(3, 'UTC') DEFAULT toDateTime64('1900-01-01 00:00:00', 3, 'UTC') - 1 CODEC(Delta, Default),
  key_id String DEFAULT '',
  CONSTRAINT value_is_finite CHECK isFinite(value),
  CONSTRAINT names_are_given CHECK notEmpty(cellar) AND notEmpty(rack) AND notEmpty(keg) AND notEmpty(key_id),
  CONSTRAINT timestamp_is_in_range CHECK timestamp >= toDateTime64('${YEARS.first}-01-01 00:00:00', 9, 'UTC')
    AND timestamp < toDateTime64('${YEARS.last + 1}-01-01 00:00:00', 9, 'UTC'),
  CONSTRAINT received_at_is_given CHECK received_at >= toDateTime64('${YEARS.first}-01-01 00:00:00', 3, 'UTC')
)`;

/**
 * The twin has no data, so it is made anew after each change of the stored table: engine Null knows no ALTER of
 * constraints.
 */
export const REBUILD_CHECK_TABLE = `CREATE OR REPLACE TABLE ${TABLES.check} AS ${TABLES.stored}
ENGINE = Null
COMMENT 'Checks rows like ${TABLES.stored} and keeps nothing: the sink looks for bad rows with it.'`;

/** Add at the end. What is released is never edited: its checksum is kept in the table of migrations. */
export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: 'readings',
    statements: [
      // A new TTL is only noted in the parts, and merges remove the rows; otherwise each change would rewrite the table.
      // The five fields of the order are the identity of a reading. Partitions come from one of them, so that every
      // repetition meets its twin in the same partition.
      `CREATE TABLE IF NOT EXISTS ${TABLES.stored} ${columns}
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(timestamp)
ORDER BY (cellar, rack, keg, timestamp, value)
SETTINGS materialize_ttl_recalculate_only = 1
COMMENT 'Readings as they were inserted, repetitions included. Query the view ${TABLES.view}.'`,
      REBUILD_CHECK_TABLE,
      `CREATE TABLE IF NOT EXISTS ${TABLES.probe} AS ${TABLES.stored}
ENGINE = Memory SETTINGS max_rows_to_keep = 10000
COMMENT 'Parses rows like ${TABLES.stored}: at its start the sink looks here whether numbers arrive unchanged.'`,
    ],
  },
  {
    number: 2,
    name: 'retention and the view',
    statements: [
      `CREATE TABLE IF NOT EXISTS ${TABLES.retention} (
  cellar String,
  days UInt16,
  version UInt64,
  is_deleted UInt8
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY cellar
COMMENT 'Days that readings are kept, by cellar; the empty name is the default. The sink copies it from key-service.'`,
      // Arrays for transform() must be constants; scalar subqueries are, and the filter still reaches the primary key.
      `CREATE VIEW IF NOT EXISTS ${TABLES.view} AS
WITH
  (SELECT (groupArray(cellar), groupArray(days)) FROM ${TABLES.retention} FINAL WHERE cellar != '') AS kept,
  (SELECT if(count() = 0, ${RETENTION_DAYS.default}, any(days)) FROM ${TABLES.retention} FINAL WHERE cellar = '') AS default_days
SELECT cellar, rack, keg, value, timestamp, received_at, key_id
FROM ${TABLES.stored} FINAL
WHERE timestamp >= now64(9, 'UTC') - toIntervalDay(transform(cellar, kept.1, kept.2, default_days))`,
    ],
  },
];
