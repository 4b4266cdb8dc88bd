import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import type { BrokerPorts } from '../ports.ts';
import { lastLines } from '../last-lines.ts';
import { runCommand } from '../run-command.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';
import { StartError } from '../start-error.ts';
import { brokerResponds } from './kafka-responds.ts';
import { serverProperties } from './kafka-properties.ts';

const LOG4J = fileURLToPath(new URL('kafka-log4j2.properties', import.meta.url));
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Dlog4j2.configurationFile=${LOG4J}`];

export interface KafkaOptions {
  /** Unique: `kafka-2`. */
  name: string;
  java: string;
  classPath: string;
  clusterId: string;
  dataDir: string;
  logFile: string;
  /** Of all brokers of the cluster. */
  ports: readonly BrokerPorts[];
  /** Which of them this one is. */
  index: number;
  env: NodeJS.ProcessEnv;
  /** A program, with its arguments, that starts the broker in its own place. */
  through?: readonly string[] | undefined;
}

/** A Kafka 4 node that is broker and controller (KRaft). */
export function kafkaEngine(options: KafkaOptions): Engine {
  const { name, java, classPath, clusterId, dataDir, logFile, ports, index, env, through = [] } = options;
  const settings = join(dataDir, 'server.properties');
  const { broker: port, advertised = port } = ports[index] as BrokerPorts;
  const isAlone = ports.length === 1;
  return {
    name,
    kind: 'kafka',
    url: `${HOST}:${advertised}`,
    start: async () => {
      await mkdir(dataDir, { recursive: true });
      const log = join(dataDir, 'log');
      if (!existsSync(log)) await format(log);
      await writeFile(settings, serverProperties({ ports, index, log }));
      // Three of them share a machine with all the rest.
      const heap = isAlone ? '-Xmx512m' : '-Xmx256m';
      const [command, ...args] = [
        ...through,
        ...[java, heap, ...JVM, '-cp', classPath, 'kafka.Kafka', settings],
      ];
      return spawnProcess({
        name,
        command: command as string,
        args,
        cwd: dataDir,
        env,
        logFile,
        answers: () => brokerResponds(HOST, port),
      });
    },
  };

  /** Formats beside its place first, so that half a formatting is never taken for a whole one. */
  async function format(log: string): Promise<void> {
    const fresh = `${log}.new`;
    await rm(fresh, { recursive: true, force: true });
    await writeFile(settings, serverProperties({ ports, index, log: fresh }));
    const { exitCode, output } = await runCommand(
      java,
      [
        ...JVM,
        '-cp',
        classPath,
        'kafka.tools.StorageTool',
        'format',
        // Several name one another in their settings.
        ...(isAlone ? ['--standalone'] : []),
        // Joined: an identifier that begins with a hyphen would read as an option.
        `--cluster-id=${clusterId}`,
        '-c',
        settings,
      ],
      { cwd: dataDir, env },
    );
    if (exitCode !== 0) throw new StartError(`Kafka's storage cannot be formatted:\n${lastLines(output)}`);
    await rename(fresh, log);
  }
}
