import type { TopicReading } from '@cellarman/reading';

interface Column {
  type: string;
  /** Number of the migration that adds it. Earlier ones do not change: their checksums are stored. */
  since: number;
}

/**
 * The columns of a reading: names and order are those of the topic, and a field without a column does not compile. The
 * defaults of the required columns break a constraint, because JSONEachRow fills a missing field with the default: without
 * them a reading without a value would be stored as 0.
 */
const COLUMNS: Readonly<Record<keyof TopicReading, Column>> = {
  cellar: { type: "String DEFAULT ''", since: 1 },
  rack: { type: "String DEFAULT ''", since: 1 },
  keg: { type: "String DEFAULT ''", since: 1 },
  value: { type: 'Float64 DEFAULT nan', since: 1 },
  timestamp: {
    type: "DateTime64(9, 'UTC') DEFAULT toDateTime64('1900-01-01 00:00:00', 9, 'UTC') - 1 CODEC(Delta, Default)",
    since: 1,
  },
  received_at: {
    type: "DateTime64(3, 'UTC') DEFAULT toDateTime64('1900-01-01 00:00:00', 3, 'UTC') - 1 CODEC(Delta, Default)",
    since: 1,
  },
  key_id: { type: "String DEFAULT ''", since: 1 },
};

/** The declarations of the columns that a migration adds, in their order. */
export function addedColumns(migration: number): string[] {
  return Object.entries(COLUMNS)
    .filter(([, { since }]) => since === migration)
    .map(([name, { type }]) => `${name} ${type}`);
}

/** The names of all columns as of a migration. */
export function columnNames(migration: number): string {
  const present = Object.entries(COLUMNS).filter(([, { since }]) => since <= migration);
  return present.map(([name]) => name).join(', ');
}
