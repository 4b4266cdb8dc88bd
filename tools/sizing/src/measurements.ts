import figures from '../../../docs/performance.json' with { type: 'json' };

/** A figure of the benches that the sizing depends on, and the code that it measures. */
interface Measurement {
  figure: keyof typeof figures;
  measures: readonly string[];
}

const INGEST = ['services/ingest/src', 'libs/kafka/src', 'libs/reading/src'];
const SINK = [
  'services/sink/src/batch',
  'services/sink/src/consume',
  'services/sink/src/store',
  'libs/kafka/src/consumer',
];
const RECORDS = ['libs/kafka/src/producer', 'libs/kafka/src/lanes', 'libs/reading/src'];
const TABLES = ['services/sink/src/migrate'];

/** Recorded by `npx -y pnpm@12 bench NAME --record`. CPU in µs on a core of the machine that docs/performance.md names. */
export const MEASUREMENTS = {
  ingestCpuOfSingle: { figure: 'ingest CPU µs/single reading', measures: INGEST },
  ingestCpuInBatch: { figure: 'ingest CPU µs/reading in batches', measures: INGEST },
  kafkaCpuOfSingle: { figure: 'Kafka CPU µs/single reading', measures: RECORDS },
  kafkaCpuInBatch: { figure: 'Kafka CPU µs/reading in batches', measures: RECORDS },
  sinkCpu: { figure: 'sink CPU µs/reading', measures: SINK },
  sinkRowsPerSecond: { figure: 'sink rows/s', measures: SINK },
  insertCpu: { figure: 'ClickHouse CPU µs/reading', measures: TABLES },
  storedBytes: { figure: 'bytes/reading in ClickHouse', measures: TABLES },
  acknowledgedMs: { figure: 'acknowledged p50 ms', measures: INGEST },
  bytesOf1: { figure: 'bytes/reading in record batches of 1', measures: RECORDS },
  bytesOf2: { figure: 'bytes/reading in record batches of 2', measures: RECORDS },
  bytesOf8: { figure: 'bytes/reading in record batches of 8', measures: RECORDS },
  bytesOf32: { figure: 'bytes/reading in record batches of 32', measures: RECORDS },
  bytesOf100: { figure: 'bytes/reading in the topic', measures: RECORDS },
} as const satisfies Record<string, Measurement>;

export function measured(name: keyof typeof MEASUREMENTS): number {
  return figures[MEASUREMENTS[name].figure].value;
}

/** Measured once, by hand. */
export const BY_HAND = {
  /** A line of JSON that the sink inserts: review of the platform, 2026-11-22. */
  insertedBytes: 203,
  /** 0.9 µs for each of five merges of a row: the same review. */
  mergeCpu: 4.5,
  /** A cache entry of a key in Redis or Valkey: the same review. */
  redisBytesPerKey: 853,
  /** A key with its indexes in PostgreSQL: 2.44 GB for 5,000,000, the same review. */
  postgresBytesPerKey: 488,
  /** A known key in ingest: bench growth-keys, e8bab80. */
  ingestKiBPerKey: 0.85,
} as const;
