import type { Startable } from '../supervise/startable.ts';

export type EngineName = 'kafka' | 'redis' | 'postgres' | 'clickhouse';

/**
 * The port that the local stack expects of an engine: its URL is fixed, and its data survives a restart. Testcontainers or
 * Compose can implement it as well.
 */
export interface Engine extends Startable {
  readonly kind: EngineName;
  /** What a client is given: `redis://127.0.0.1:4379`, for Kafka `127.0.0.1:4392`. */
  readonly url: string;
}

/** URLs and credentials of one set of engines. Those of Redis and PostgreSQL are part of the URL. */
export interface EngineUrls {
  kafkaBrokers: string[];
  redisUrl: string;
  /** As superuser, on the database `postgres`. */
  databaseUrl: string;
  clickhouseUrl: string;
  clickhouseUser: string;
  clickhousePassword: string;
}
