import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from './engine.ts';
import { kafkaEngine } from './kafka.ts';
import { writePrivateJson } from '../product/private-json.ts';
import type { BrokerPorts } from '../ports.ts';
import { StartError } from '../start-error.ts';

export interface KafkaBrokersOptions {
  java: string;
  classPath: string;
  dataDir: string;
  logsDir: string;
  /** One for each broker. */
  ports: readonly BrokerPorts[];
  env: NodeJS.ProcessEnv;
  /** By the name of the broker. */
  through?: StartedThrough | undefined;
}

/**
 * Programs, with their arguments, that single brokers are started through: `{ 'kafka-2': ['setpriv', '--regid', '7'] }`.
 * Each must put the broker into its own place, so that it is still the process that is watched.
 */
export type StartedThrough = Readonly<Record<string, readonly string[]>>;

/** What the brokers of one data directory have in common. */
interface Cluster {
  clusterId: string;
  brokers: number;
}

/**
 * The brokers of one cluster. Each is controller too, so that any of three can be lost.
 *
 * @throws {StartError} when the data was made with another number of brokers
 */
export async function kafkaBrokers(options: KafkaBrokersOptions): Promise<Engine[]> {
  const { dataDir, logsDir, ports, through = {}, ...others } = options;
  const { clusterId, brokers } = await clusterOf(dataDir, ports.length);
  if (brokers !== ports.length) {
    throw new StartError(
      `The data in ${dataDir} was made with ${brokers} of Kafka's brokers: start with --brokers ${brokers}, or with another --data-dir.`,
    );
  }
  return ports.map((_, index) => {
    const name = brokers === 1 ? 'kafka' : `kafka-${index + 1}`;
    return kafkaEngine({
      ...{ ...others, name, clusterId, ports, index },
      dataDir: join(dataDir, name),
      logFile: join(logsDir, `${name}.log`),
      through: through[name],
    });
  });
}

/** Made once for each data directory. */
async function clusterOf(dataDir: string, brokers: number): Promise<Cluster> {
  const file = join(dataDir, 'kafka-cluster.json');
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Cluster;
  const cluster = {
    clusterId: randomBytes(16).toString('base64url'),
    // Data that is older than this file.
    brokers: existsSync(join(dataDir, 'kafka')) ? 1 : brokers,
  };
  // In one step: half of it would stop every later start.
  await writePrivateJson(file, cluster);
  return cluster;
}
