import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema as ingest, loadConfig as loadIngest } from '../services/ingest/src/config.ts';
import {
  configSchema as keyService,
  loadConfig as loadKeyService,
} from '../services/key-service/src/config.ts';
import { configSchema as query, loadConfig as loadQuery } from '../services/query/src/config.ts';
import {
  configSchema as sink,
  loadConfig as loadSink,
  loadMigrateConfig as loadMigrate,
  migrateConfigSchema as migrate,
} from '../services/sink/src/config.ts';

interface ComposeService {
  image: string;
  environment: Record<string, string | number>;
}

/** No Docker runs where these tests do, so they hold the Compose file against what the services accept. */
describe('docker-compose.yml', async () => {
  const text = await readFile(new URL('../docker-compose.yml', import.meta.url), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const environmentOf = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
        variable,
        // As Compose fills in `${NAME:-default}` and secrets.
        String(value).replaceAll(
          /\$\{\w+(?::-([^}]*))?[^}]*\}/g,
          (_, given?: string) => given ?? 'a'.repeat(48),
        ),
      ]),
    );

  test.each([
    ['ingest', ingest, loadIngest],
    ['key-service', keyService, loadKeyService],
    ['query', query, loadQuery],
    ['sink', sink, loadSink],
    ['migrate', migrate, loadMigrate],
  ] as const)('gives %s an environment that it accepts', (name, schema, load) => {
    const environment = environmentOf(name);
    expect(() => load(environment)).not.toThrow();
    // A misspelt variable would be ignored. NODE_OPTIONS is read by Node itself.
    const known = [...Object.keys(schema.properties), 'NODE_OPTIONS'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  test('holds no secret and publishes nothing beyond this machine', () => {
    const secrets = [...text.matchAll(/^\s+\w*(?:PASSWORD|TOKEN): (.*)$/gm)].map(([, value]) => value);
    expect(secrets).toHaveLength(9);
    expect(secrets.filter((value) => value?.startsWith('${') !== true)).toEqual([]);

    const ports = [...text.matchAll(/ports: \[(.*)\]/g)].map(([, value]) => value);
    expect(ports).toHaveLength(8);
    expect(ports.filter((value) => value?.startsWith(`'127.0.0.1:`) !== true)).toEqual([]);
  });
});
