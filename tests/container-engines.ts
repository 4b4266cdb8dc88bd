import { readFile } from 'node:fs/promises';
import { HOST, unusedPorts } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';
import { GenericContainer, Wait } from 'testcontainers';
import type { StartedTestContainer } from 'testcontainers';
import { parse } from 'yaml';

interface ComposedEngine {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  healthcheck: { test: ['CMD', ...string[]] };
}

interface EngineOptions {
  /** The port inside, which the Compose file publishes as well. */
  port: number;
  /** Where it is published. @default any that is free */
  hostPort?: number;
  /** On top of what the Compose file has, apart from its secrets. */
  environment?: Record<string, string>;
  /** Instead of that of the Compose file. */
  command?: string[];
}

/** More than the largest suite needs, with the services of several tests running concurrently. */
const POSTGRES_CONNECTIONS = '300';

/**
 * The engines of docker-compose.yml, each in a new container, with empty data and free ports. The container engine must
 * publish them on this machine.
 */
export async function startContainerEngines(): Promise<{ urls: EngineUrls; stop: () => Promise<void> }> {
  const file = new URL('../docker-compose.yml', import.meta.url);
  const { services } = parse(await readFile(file, 'utf8'), { merge: true }) as {
    services: Record<string, ComposedEngine>;
  };
  const [kafkaPort = 0] = await unusedPorts(1);
  const starts = [
    start('kafka', {
      port: 4392,
      // Clients connect to the host:port that Kafka advertises, so Kafka must know it before it starts.
      hostPort: kafkaPort,
      environment: { KAFKA_ADVERTISED_LISTENERS: `INTERNAL://kafka:9092,HOST://${HOST}:${kafkaPort}` },
    }),
    start('redis', { port: 6379 }),
    start('postgres', {
      port: 5432,
      environment: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
      command: ['postgres', '-c', `max_connections=${POSTGRES_CONNECTIONS}`],
    }),
    // Nobody but the tests can reach it.
    start('clickhouse', {
      port: 8123,
      environment: { CLICKHOUSE_USER: 'default', CLICKHOUSE_SKIP_USER_SETUP: '1' },
    }),
  ];
  const stop = async (): Promise<void> => {
    const settled = await Promise.allSettled(starts);
    const started = settled.filter((start) => start.status === 'fulfilled');
    await Promise.all(started.map(({ value }) => value.stop()));
  };
  try {
    const [, redis, postgres, clickhouse] = await Promise.all(starts);
    return {
      urls: {
        kafkaBrokers: [`${HOST}:${kafkaPort}`],
        redisUrl: `redis://${at(redis, 6379)}`,
        // The first user is a superuser.
        databaseUrl: `postgres://cellarman@${at(postgres, 5432)}/postgres`,
        clickhouseUrl: `http://${at(clickhouse, 8123)}`,
        clickhouseUser: 'default',
        clickhousePassword: '',
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }

  function start(name: string, options: EngineOptions): Promise<StartedTestContainer> {
    const composed = services[name];
    if (composed === undefined) throw new Error(`docker-compose.yml has no ${name}`);
    const { port, hostPort, environment } = options;
    const command = options.command ?? composed.command;
    const container = new GenericContainer(composed.image)
      .withHostname(name)
      // Identifies the containers of a run that was killed.
      .withLabels({ 'cellarman.step': process.env['CELLARMAN_STEP'] ?? '' })
      .withEnvironment({ ...plainVariables(composed), ...environment })
      .withExposedPorts(hostPort === undefined ? port : { container: port, host: hostPort })
      .withHealthCheck({
        test: composed.healthcheck.test,
        interval: 1_000,
        timeout: 5_000,
        retries: 5,
        startPeriod: 60_000,
      })
      .withWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(120_000);
    return (command === undefined ? container : container.withCommand(command)).start();
  }
}

/** Without those that Compose takes from elsewhere: `${POSTGRES_PASSWORD:?…}`. */
function plainVariables({ environment = {} }: ComposedEngine): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, String(value)] as const)
      .filter(([, value]) => !value.includes('${')),
  );
}

function at(container: StartedTestContainer | undefined, port: number): string {
  return `${HOST}:${container?.getMappedPort(port)}`;
}
