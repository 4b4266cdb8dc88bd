import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEAD_LETTER_TOPIC, READINGS_TOPIC } from '@cellarman/contracts';
import { readRange, silentLogger } from '@cellarman/kafka';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { Harness } from './harness.ts';

/** Everywhere that a running product keeps something, but ClickHouse, which only has what the topic has. */
const PLACES = { logs: inLogs, Redis: inRedis, Kafka: inKafka, PostgreSQL: inPostgres };

export type Place = keyof typeof PLACES;

/** Where a text stands, as it is. */
export async function findText(harness: Harness, text: string): Promise<Place[]> {
  const found: Place[] = [];
  for (const [place, holds] of Object.entries(PLACES)) {
    if (await holds(harness, text)) found.push(place as Place);
  }
  return found;
}

async function inLogs({ dataDir }: Harness, text: string): Promise<boolean> {
  const logs = join(dataDir, 'logs');
  const files = await readdir(logs, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  );
  return contents.some((content) => content.includes(text));
}

/** DUMP would compress what is long, so each kind of value is read as what it is. */
async function inRedis({ run }: Harness, text: string): Promise<boolean> {
  const redis = new Redis(run.redisUrl);
  try {
    for await (const names of redis.scanStream() as AsyncIterable<string[]>) {
      for (const name of names) {
        if (name.includes(text) || (await redisValue(redis, name)).includes(text)) return true;
      }
    }
    return false;
  } finally {
    redis.disconnect();
  }
}

async function redisValue(redis: Redis, name: string): Promise<string> {
  const type = await redis.type(name);
  switch (type) {
    case 'string':
      return (await redis.get(name)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(name));
    case 'zset':
      return JSON.stringify(await redis.zrange(name, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(name, '-', '+'));
    // It was there when it was listed, and has expired.
    case 'none':
      return '';
    default:
      throw new Error(`${name} is a ${type}, which is not looked into here`);
  }
}

async function inKafka({ run }: Harness, text: string): Promise<boolean> {
  const connection = { brokers: run.kafkaBrokers, clientId: 'find-text', logger: silentLogger };
  for (const topic of [READINGS_TOPIC, DEAD_LETTER_TOPIC]) {
    for await (const { messages } of readRange({ connection, topic, from: 'start', to: 'end' })) {
      for (const { key, value, headers } of messages) {
        const parts = [key, value, ...Object.values(headers ?? {}).flat()];
        if (parts.some((part) => part?.includes(text) === true)) return true;
      }
    }
  }
  return false;
}

async function inPostgres({ run }: Harness, text: string): Promise<boolean> {
  const client = new Client({ connectionString: run.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables) {
      const holds = `SELECT 1 FROM ${name} AS entry WHERE strpos(entry::text, $1) > 0 LIMIT 1`;
      if ((await client.query(holds, [text])).rows.length > 0) return true;
    }
    return false;
  } finally {
    await client.end();
  }
}
