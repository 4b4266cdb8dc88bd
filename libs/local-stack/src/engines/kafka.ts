import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';
import { HOST } from '../ports.ts';
import { lastWords } from '../last-words.ts';
import { runCommand } from '../run-command.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';
import { StartError } from '../start-error.ts';
import { brokerAnswers } from './kafka-answers.ts';

const LOG4J = fileURLToPath(new URL('kafka-log4j2.properties', import.meta.url));
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Dlog4j2.configurationFile=${LOG4J}`];

export interface KafkaOptions {
  java: string;
  classPath: string;
  dataDir: string;
  logFile: string;
  port: number;
  controllerPort: number;
  env: NodeJS.ProcessEnv;
}

/** One Kafka 4 node that is broker and controller (KRaft). */
export function kafkaEngine(options: KafkaOptions): Engine {
  const { java, classPath, dataDir, logFile, port, controllerPort, env } = options;
  const settings = join(dataDir, 'server.properties');
  return {
    name: 'kafka',
    kind: 'kafka',
    url: `${HOST}:${port}`,
    start: async () => {
      await mkdir(dataDir, { recursive: true });
      const log = join(dataDir, 'log');
      if (!existsSync(log)) await format(log);
      await writeFile(settings, serverProperties(log));
      return spawnProcess({
        name: 'kafka',
        command: java,
        args: ['-Xmx512m', ...JVM, '-cp', classPath, 'kafka.Kafka', settings],
        cwd: dataDir,
        env,
        logFile,
        answers: () => brokerAnswers(HOST, port),
      });
    },
  };

  /** Formats beside its place first, so that half a formatting is never taken for a whole one. */
  async function format(log: string): Promise<void> {
    const fresh = `${log}.new`;
    await rm(fresh, { recursive: true, force: true });
    await writeFile(settings, serverProperties(fresh));
    const clusterId = randomBytes(16).toString('base64url');
    const { exitCode, output } = await runCommand(
      java,
      [
        ...JVM,
        '-cp',
        classPath,
        'kafka.tools.StorageTool',
        'format',
        '--standalone',
        // Joined: an identifier that begins with a hyphen would read as an option.
        `--cluster-id=${clusterId}`,
        '-c',
        settings,
      ],
      { cwd: dataDir, env },
    );
    if (exitCode !== 0) throw new StartError(`Kafka's storage cannot be formatted:\n${lastWords(output)}`);
    await rename(fresh, log);
  }

  function serverProperties(log: string): string {
    const listeners = `PLAINTEXT://${HOST}:${port},CONTROLLER://${HOST}:${controllerPort}`;
    return `# Written at every start.
process.roles=broker,controller
node.id=1
listeners=${listeners}
advertised.listeners=${listeners}
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=${HOST}:${controllerPort}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${log}

# Topics belong to the sink's migration.
auto.create.topics.enable=false

# One broker: its own topics cannot have three replicas, and four partitions of each start faster than fifty.
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=4

# Nobody else can join a group of the local stack later.
group.initial.rebalance.delay.ms=0

# After kill -9 the controller refuses the broker until its old session has expired (9 s by default).
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
`;
  }
}
