/** Names in the schema that the migrations make. `readings` is what people query. */
export const TABLES = {
  stored: 'readings_stored',
  /** Engine Null with the columns and constraints of the stored table: parses and checks, writes nothing. */
  check: 'readings_check',
  /** Only the sink of the version before uses it. */
  probe: 'readings_probe',
  retention: 'retention_policy',
  view: 'readings',
  /** The same readings ordered by time, for queries over a time range. */
  byTime: 'readings_by_time',
  /** The latest reading of each series. */
  series: 'series_latest',
  /** Readings of each minute, for completed hours. */
  hourlyCounts: 'settled_counts',
  settledUntil: 'settled_until',
  /** What was found when completed hours were compared with the topic. */
  verifiedHours: 'verified_hours',
  migrations: 'schema_migrations',
} as const;

/** Tables that a row goes on to by materialized views, one row for each: ClickHouse counts those too. */
export const COPIES: Readonly<Record<string, number>> = { [TABLES.stored]: 2 };
