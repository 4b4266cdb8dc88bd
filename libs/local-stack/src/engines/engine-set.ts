import { join } from 'node:path';
import { cacheDir, inheritedEnvironment, javaCommand } from '../config.ts';
import type { Engine, EngineName, EngineUrls } from './engine.ts';
import { clickhouseEngine } from './clickhouse.ts';
import { kafkaEngine } from './kafka.ts';
import { findPostgres, postgresEngine } from './postgres.ts';
import { findRedisServer, redisEngine } from './redis.ts';
import { requireJava } from './java.ts';
import { mavenArtifacts } from './maven-artifacts.ts';
import type { EnginePorts } from '../ports.ts';
import type { Step } from '../progress/stack-event.ts';

export type EngineSet = Record<EngineName, Engine>;

/** The four engines, ready to be started, with their data and logs below `dataDir`. */
export async function prepareEngines(dataDir: string, ports: EnginePorts, step: Step): Promise<EngineSet> {
  const env = inheritedEnvironment();
  const java = javaCommand();
  const [artifacts, programs] = await Promise.all([
    requireJava(java).then(() => mavenArtifacts(cacheDir(), step)),
    findPostgres(),
  ]);
  const at = (name: EngineName) => ({
    dataDir: join(dataDir, name),
    logFile: join(dataDir, 'logs', `${name}.log`),
    port: ports[name],
    env,
  });
  return {
    kafka: kafkaEngine({
      ...at('kafka'),
      java,
      classPath: artifacts.kafkaClassPath,
      controllerPort: ports.kafkaController,
    }),
    redis: redisEngine({ ...at('redis'), server: await findRedisServer(env, artifacts.redisDir) }),
    postgres: postgresEngine({ ...at('postgres'), programs }),
    clickhouse: clickhouseEngine(at('clickhouse')),
  };
}

export function engineUrls(engines: EngineSet): EngineUrls {
  return {
    kafkaBrokers: [engines.kafka.url],
    redisUrl: engines.redis.url,
    databaseUrl: engines.postgres.url,
    clickhouseUrl: engines.clickhouse.url,
  };
}
