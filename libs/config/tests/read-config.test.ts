import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, flag, integer, list, port, readConfig, secret, text, url } from '../src/index.ts';

const schema = Type.Object({
  PORT: port({ description: 'where to listen', default: 8080 }),
  KAFKA_BROKERS: list({ description: 'brokers to begin with, host:port' }),
  KEY_SERVICE_URL: url({ description: 'where key-service answers', schemes: ['http', 'https'] }),
  INTERNAL_TOKEN: secret({ description: 'what services show each other', minLength: 16 }),
  ALLOW_WEAK_TOPIC: flag({ description: 'accept fewer replicas', default: false }),
  BATCH_MAX_ROWS: integer({ description: 'rows in an insert', minimum: 1, default: 50_000 }),
  LOG_LEVEL: text({ description: 'how much to log', default: 'info', pattern: '^(debug|info|warn|error)$' }),
});

const complete = {
  KAFKA_BROKERS: 'a:9092,b:9092',
  KEY_SERVICE_URL: 'http://keys:4100',
  INTERNAL_TOKEN: 'a-token-of-length-20',
};

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig({ service: 'ingest', schema, env });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  test('turns texts into numbers, booleans and lists, and fills in defaults', () => {
    const config = readConfig({
      service: 'ingest',
      schema,
      env: { ...complete, PORT: '9000', ALLOW_WEAK_TOPIC: 'true', HOME: '/x' },
    });
    expect(config).toEqual({
      ...complete,
      PORT: 9000,
      KAFKA_BROKERS: ['a:9092', 'b:9092'],
      ALLOW_WEAK_TOPIC: true,
      BATCH_MAX_ROWS: 50_000,
      LOG_LEVEL: 'info',
    });
  });

  test('names every problem, each with what the variable is for', () => {
    const problems = problemsOf({ PORT: 'eighty', BATCH_MAX_ROWS: '0', LOG_LEVEL: 'loud' });
    expect(problems).toHaveLength(6);
    expect(problems).toEqual(
      expect.arrayContaining([
        'KAFKA_BROKERS is missing: brokers to begin with, host:port',
        'PORT must be integer, not "eighty": where to listen',
        'BATCH_MAX_ROWS must be >= 1, not "0": rows in an insert',
      ]),
    );
  });

  test('reads a secret from the file that is named', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cellarman-config-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const [file, empty] = [join(directory, 'token'), join(directory, 'empty')];
    await writeFile(file, 'a-token-from-a-file\n');
    await writeFile(empty, '\n');
    const { INTERNAL_TOKEN, ...rest } = complete;
    const named = (name: string) => ({ ...rest, INTERNAL_TOKEN_FILE: name });
    expect(readConfig({ service: 'ingest', schema, env: named(file) })).toMatchObject({
      INTERNAL_TOKEN: 'a-token-from-a-file',
    });
    expect(problemsOf({ ...named(file), INTERNAL_TOKEN })).toEqual([
      'INTERNAL_TOKEN and INTERNAL_TOKEN_FILE are both set: give one',
    ]);
    expect(problemsOf(named(empty))).toEqual([`INTERNAL_TOKEN_FILE names ${empty}, which is empty`]);
    expect(problemsOf(named(`${file}s`))).toEqual([
      `INTERNAL_TOKEN_FILE names ${file}s, which cannot be read (ENOENT)`,
    ]);
    // Too short: the message shows it as little as one from the environment.
    await writeFile(file, 'short');
    expect(problemsOf(named(file)).join()).toMatch(/fewer than 16 characters, not the given secret/);
    // What is no secret has no file.
    expect(problemsOf({ ...complete, LOG_LEVEL_FILE: `${file}s` })).toEqual([]);
  });

  test('checks for conflicts when each variable is right by itself, and only then', () => {
    const conflicts = ({ PORT }: { PORT: number }): string[] =>
      PORT === 9000 ? ['PORT belongs to Kafka'] : [];
    const read = (env: Record<string, string>) => () =>
      readConfig({ service: 'ingest', schema, env, conflicts });
    expect(read({ ...complete, PORT: '9001' })()).toMatchObject({ PORT: 9001 });
    expect(read({ ...complete, PORT: '9000' })).toThrow(
      'ingest cannot start, its environment has one problem:\n  - PORT belongs to Kafka',
    );
    expect(read({ PORT: '9000' })).not.toThrow('belongs to Kafka');
  });

  test('treats a variable that is set to nothing as not set', () => {
    expect(problemsOf({ ...complete, KEY_SERVICE_URL: ' ' })).toEqual([
      'KEY_SERVICE_URL is missing: where key-service answers',
    ]);
    expect(readConfig({ service: 'ingest', schema, env: { ...complete, PORT: '' } }).PORT).toBe(8080);
  });

  test('never shows a secret', () => {
    const [problem] = problemsOf({ ...complete, INTERNAL_TOKEN: 'hunter2' });
    expect(problem).toMatch(/^INTERNAL_TOKEN must NOT have fewer than 16 characters, not the given secret/);
    expect(problem).not.toContain('hunter2');
  });

  test('says whose environment it is, and how many problems it has', () => {
    expect(() =>
      readConfig({ service: 'ingest', schema, env: { ...complete, KEY_SERVICE_URL: 'ftp://x' } }),
    ).toThrow(
      /^ingest cannot start, its environment has one problem:\n {2}- KEY_SERVICE_URL must match pattern/,
    );
  });
});
