import { join } from 'node:path';
import { cacheDir, inheritedEnvironment, javaCommand } from '../config.ts';
import type { Engine, EngineUrls } from './engine.ts';
import { CLICKHOUSE_USER, clickhouseEngine } from './clickhouse.ts';
import { kafkaBrokers } from './kafka-brokers.ts';
import type { StartedThrough } from './kafka-brokers.ts';
import { findPostgres, postgresEngine } from './postgres.ts';
import { findRedisServer, redisEngine } from './redis.ts';
import { requireJava } from './java.ts';
import { mavenArtifacts } from './maven-artifacts.ts';
import type { EnginePorts } from '../ports.ts';
import { localSecrets } from '../product/local-secrets.ts';
import { requireWritable } from '../require-writable.ts';
import type { Step } from '../progress/stack-event.ts';

export interface EngineSet {
  /** One broker or several. */
  kafka: Engine[];
  redis: Engine;
  postgres: Engine;
  clickhouse: Engine;
}

export interface PrepareEnginesOptions {
  dataDir: string;
  ports: EnginePorts;
  step: Step;
  brokersThrough?: StartedThrough | undefined;
}

export interface PreparedEngines {
  engines: EngineSet;
  urls: EngineUrls;
}

/** The engines, ready to be started, with their data, logs and passwords below `dataDir`. */
export async function prepareEngines(options: PrepareEnginesOptions): Promise<PreparedEngines> {
  const { dataDir, ports, step, brokersThrough } = options;
  await requireWritable(dataDir);
  const env = inheritedEnvironment();
  const java = javaCommand();
  const [artifacts, programs] = await Promise.all([
    requireJava(java).then(() => mavenArtifacts(cacheDir(), step)),
    findPostgres(),
  ]);
  const secrets = await localSecrets(dataDir);
  const logsDir = join(dataDir, 'logs');
  const at = (name: 'redis' | 'postgres' | 'clickhouse') => ({
    dataDir: join(dataDir, name),
    logFile: join(logsDir, `${name}.log`),
    port: ports[name],
    env,
  });
  const engines: EngineSet = {
    kafka: await kafkaBrokers({
      ...{ java, classPath: artifacts.kafkaClassPath, dataDir, logsDir, env },
      ports: ports.kafka,
      through: brokersThrough,
    }),
    redis: redisEngine({
      ...{ ...at('redis'), password: secrets.redisPassword },
      server: await findRedisServer(env, artifacts.redisDir),
    }),
    postgres: postgresEngine({ ...at('postgres'), password: secrets.postgresPassword, programs }),
    clickhouse: clickhouseEngine({ ...at('clickhouse'), password: secrets.clickhousePassword }),
  };
  return {
    engines,
    urls: {
      kafkaBrokers: engines.kafka.map(({ url }) => url),
      redisUrl: engines.redis.url,
      databaseUrl: engines.postgres.url,
      clickhouseUrl: engines.clickhouse.url,
      clickhouseUser: CLICKHOUSE_USER,
      clickhousePassword: secrets.clickhousePassword,
    },
  };
}
