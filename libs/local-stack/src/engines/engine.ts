import type { Startable } from '../supervise/startable.ts';

export type EngineName = 'kafka' | 'redis' | 'postgres' | 'clickhouse';

/**
 * The port that the local stack expects of an engine: its address is fixed, its data outlives a start.
 * Testcontainers or Compose can stand behind it as well.
 */
export interface Engine extends Startable {
  readonly kind: EngineName;
  /** What a client is given: `redis://127.0.0.1:4379`, for Kafka `127.0.0.1:4392`. */
  readonly url: string;
}

/** Where the engines of one set answer, and what their clients sign in with: the URLs of Redis and PostgreSQL carry it. */
export interface EngineUrls {
  kafkaBrokers: string[];
  redisUrl: string;
  /** As superuser, on the database `postgres`. */
  databaseUrl: string;
  clickhouseUrl: string;
  clickhouseUser: string;
  clickhousePassword: string;
}
