import { RETENTION_DAYS } from '@cellarman/contracts';
import { YEARS } from '@cellarman/reading';
import { TABLES } from '../tables.ts';
import { addedColumns, columnNames } from './columns.ts';

/** With every view that hides what is expired. Arrays for transform() must be constants; scalar subqueries are. */
const RETENTION = `WITH
  (SELECT (groupArray(cellar), groupArray(days)) FROM ${TABLES.retention} FINAL WHERE cellar != '') AS kept,
  (SELECT if(count() = 0, ${RETENTION_DAYS.default}, any(days)) FROM ${TABLES.retention} FINAL WHERE cellar = '') AS default_days`;
const IS_KEPT = `timestamp >= now64(9, 'UTC') - toIntervalDay(transform(cellar, kept.1, kept.2, default_days))`;

/** What the copies are made of, from an insert and from what is stored already. */
const TO_BY_TIME = `SELECT cellar, timestamp, rack, keg, value, received_at,
  18446744073709551615 - toUInt64(toUnixTimestamp64Milli(received_at)) AS earliness
FROM ${TABLES.stored}`;
const TO_SERIES = `SELECT cellar, rack, keg, timestamp, (timestamp, value, received_at) AS latest, received_at AS last_received_at
FROM ${TABLES.stored}`;

export interface Migration {
  number: number;
  name: string;
  /** Each can run twice, and beside itself in another process: ClickHouse has no lock to hold. */
  statements: readonly string[];
}

const columns = `(
${addedColumns(1)
  .map((column) => `  ${column},\n`)
  .join('')}  CONSTRAINT value_is_finite CHECK isFinite(value),
  CONSTRAINT names_are_given CHECK notEmpty(cellar) AND notEmpty(rack) AND notEmpty(keg) AND notEmpty(key_id),
  CONSTRAINT timestamp_is_in_range CHECK timestamp >= toDateTime64('${YEARS.first}-01-01 00:00:00', 9, 'UTC')
    AND timestamp < toDateTime64('${YEARS.last + 1}-01-01 00:00:00', 9, 'UTC'),
  CONSTRAINT received_at_is_given CHECK received_at >= toDateTime64('${YEARS.first}-01-01 00:00:00', 3, 'UTC')
)`;

/**
 * The check table has no data, so it is recreated after each change of the stored table: engine Null does not support ALTER of
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
SELECT ${columnNames(2)}
FROM ${TABLES.stored} FINAL
WHERE timestamp >= now64(9, 'UTC') - toIntervalDay(transform(cellar, kept.1, kept.2, default_days))`,
    ],
  },
  {
    number: 3,
    name: 'readings by time and the latest of each series',
    statements: [
      // The same identity in another order: what came in an hour lies together, and copies of a reading still meet. The
      // first receipt stays, so that sending again moves nothing. The index leads from a time of receipt to the granules.
      `CREATE TABLE IF NOT EXISTS ${TABLES.byTime} (
  cellar LowCardinality(String),
  timestamp DateTime64(9, 'UTC') CODEC(Delta, Default),
  rack LowCardinality(String),
  keg LowCardinality(String),
  value Float64,
  received_at DateTime64(3, 'UTC') CODEC(Delta, Default),
  earliness UInt64 CODEC(Delta, Default),
  INDEX received received_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(earliness)
PARTITION BY toYYYYMM(timestamp)
PRIMARY KEY (cellar, timestamp)
ORDER BY (cellar, timestamp, rack, keg, value)
SETTINGS materialize_ttl_recalculate_only = 1
COMMENT 'Readings in the order of time, repetitions included. Query the view received_readings.'`,
      // A maximum is the same however often and in which order its parts come.
      `CREATE TABLE IF NOT EXISTS ${TABLES.series} (
  cellar String,
  rack String,
  keg String,
  timestamp SimpleAggregateFunction(max, DateTime64(9, 'UTC')),
  latest SimpleAggregateFunction(max, Tuple(DateTime64(9, 'UTC'), Float64, DateTime64(3, 'UTC'))),
  last_received_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (cellar, rack, keg)
SETTINGS materialize_ttl_recalculate_only = 1
COMMENT 'The latest reading of each series, in parts. Query the view latest_readings.'`,
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${TABLES.byTime}_feed TO ${TABLES.byTime} AS ${TO_BY_TIME}`,
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${TABLES.series}_feed TO ${TABLES.series} AS ${TO_SERIES}`,
      // After the feeds: what comes meanwhile is in both, and counts once.
      `INSERT INTO ${TABLES.byTime} ${TO_BY_TIME} SETTINGS max_partitions_per_insert_block = 0`,
      `INSERT INTO ${TABLES.series}
SELECT cellar, rack, keg, max(timestamp), max(latest), max(last_received_at) FROM (${TO_SERIES}) GROUP BY cellar, rack, keg`,
      `CREATE VIEW IF NOT EXISTS received_readings AS ${RETENTION}
SELECT cellar, timestamp, rack, keg, value, received_at FROM ${TABLES.byTime} FINAL WHERE ${IS_KEPT}`,
      `CREATE VIEW IF NOT EXISTS latest_readings AS ${RETENTION}
SELECT cellar, rack, keg, latest.1 AS timestamp, latest.2 AS value, latest.3 AS received_at, last_received_at
FROM (SELECT cellar, rack, keg, timestamp, latest, last_received_at FROM ${TABLES.series} FINAL)
WHERE ${IS_KEPT}`,
    ],
  },
  {
    number: 4,
    name: 'counts of the past',
    statements: [
      `CREATE TABLE IF NOT EXISTS ${TABLES.hourlyCounts} (
  cellar LowCardinality(String),
  minute DateTime('UTC') CODEC(Delta, Default),
  readings UInt64
)
ENGINE = ReplacingMergeTree
ORDER BY (cellar, minute)
TTL minute + toIntervalDay(400)
COMMENT 'Readings by the minute in which they were received first. Complete up to settled_until, nothing behind it.'`,
      `CREATE TABLE IF NOT EXISTS ${TABLES.settledUntil} (
  id UInt8 DEFAULT 0,
  until DateTime('UTC')
)
ENGINE = ReplacingMergeTree(until)
ORDER BY id
COMMENT 'The end of the last hour that settled_counts has.'`,
    ],
  },
  {
    number: 5,
    name: 'the key of a reading, by time',
    statements: [
      // Rows that are there keep the empty name: to rewrite them would read the whole table.
      `ALTER TABLE ${TABLES.byTime} ADD COLUMN IF NOT EXISTS key_id LowCardinality(String)`,
      `ALTER TABLE ${TABLES.byTime}_feed MODIFY QUERY SELECT cellar, timestamp, rack, keg, value, received_at,
  18446744073709551615 - toUInt64(toUnixTimestamp64Milli(received_at)) AS earliness, key_id
FROM ${TABLES.stored}`,
      `CREATE VIEW IF NOT EXISTS key_readings AS ${RETENTION}
SELECT cellar, key_id, timestamp, rack, received_at FROM ${TABLES.byTime} FINAL WHERE ${IS_KEPT}`,
    ],
  },
  {
    number: 6,
    name: 'verified hours',
    statements: [
      `CREATE TABLE IF NOT EXISTS ${TABLES.verifiedHours} (
  hour DateTime('UTC'),
  cellar String,
  verified_at DateTime64(3, 'UTC'),
  checked_at DateTime64(3, 'UTC'),
  digest String,
  messages UInt64,
  acknowledged UInt64,
  stored UInt64,
  missing UInt64,
  duplicated UInt64,
  altered UInt64,
  expired UInt64,
  dead_letters UInt64,
  findings Array(String)
)
ENGINE = ReplacingMergeTree(checked_at)
ORDER BY (hour, cellar)
TTL hour + toIntervalDay(400)
COMMENT 'What the sink found when it compared an hour of the topic with the views. The empty cellar is the whole hour.'`,
    ],
  },
  {
    number: 7,
    name: 'time of the insert',
    statements: [
      // Nanoseconds, so that the time also identifies the insert. Rows of earlier versions have 1970: an expression such as
      // now64() as the default would be evaluated again at each query.
      `ALTER TABLE ${TABLES.byTime} ADD COLUMN IF NOT EXISTS stored_at DateTime64(9, 'UTC')
DEFAULT toDateTime64(0, 9, 'UTC') CODEC(Delta, Default)`,
      `ALTER TABLE ${TABLES.byTime} ADD INDEX IF NOT EXISTS stored stored_at TYPE minmax GRANULARITY 1`,
      `ALTER TABLE ${TABLES.byTime}_feed MODIFY QUERY SELECT cellar, timestamp, rack, keg, value, received_at,
  18446744073709551615 - toUInt64(toUnixTimestamp64Milli(received_at)) AS earliness, key_id, now64(9, 'UTC') AS stored_at
FROM ${TABLES.stored}`,
      // In the background. Without it, a query for recent rows reads every part that is older than this migration.
      `ALTER TABLE ${TABLES.byTime} MATERIALIZE INDEX stored`,
      `CREATE VIEW IF NOT EXISTS arrived_readings AS ${RETENTION}
SELECT cellar, timestamp, rack, keg, value, received_at, stored_at FROM ${TABLES.byTime} FINAL WHERE ${IS_KEPT}`,
    ],
  },
  {
    number: 8,
    name: 'codecs',
    statements: [
      // Metadata only: new parts are smaller immediately, older ones when they merge. Devices send milliseconds or seconds,
      // which GCD finds in the nanoseconds.
      `ALTER TABLE ${TABLES.stored}
  MODIFY COLUMN timestamp CODEC(GCD, Delta, ZSTD(1)),
  MODIFY COLUMN received_at CODEC(Delta, ZSTD(1)),
  MODIFY COLUMN value CODEC(ZSTD(1))`,
      `ALTER TABLE ${TABLES.byTime}
  MODIFY COLUMN timestamp CODEC(GCD, Delta, ZSTD(1)),
  MODIFY COLUMN rack CODEC(ZSTD(1)),
  MODIFY COLUMN value CODEC(ZSTD(1)),
  MODIFY COLUMN received_at CODEC(T64, ZSTD(1)),
  MODIFY COLUMN earliness CODEC(T64, ZSTD(1)),
  MODIFY COLUMN key_id CODEC(ZSTD(1)),
  MODIFY COLUMN stored_at CODEC(Delta, ZSTD(1))`,
    ],
  },
];
