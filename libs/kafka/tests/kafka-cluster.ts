import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheDir } from '../../local-stack/src/config.ts';
import { brokerResponds } from '../../local-stack/src/engines/kafka-responds.ts';
import { mavenArtifacts } from '../../local-stack/src/engines/maven-artifacts.ts';
import { unusedPorts } from '../../local-stack/src/ports.ts';
import { runCommand } from '../../local-stack/src/run-command.ts';
import { createTestAuthority } from '../../tls/tests/test-authority.ts';
import type { TestAuthority } from '../../tls/tests/test-authority.ts';

/**
 * Brokers of a test's own, to be killed and paused. Broker ids count from 1; broker 1 is the controller too, so
 * only the others can be lost while the cluster is to elect leaders.
 */
export interface KafkaCluster {
  readonly brokers: string[];
  /** The ways in with TLS, if there are some. */
  readonly secured: Secured;
  signal(broker: number, signal: NodeJS.Signals): void;
  /** kill -9, resolved when the process is gone. */
  kill(broker: number): Promise<void>;
  /** Restarts a broker that was killed, on its port and with its data; resolves when it is ready. */
  start(broker: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Secured {
  /** With TLS and a user. */
  readonly brokers: string[];
  /** With TLS and a certificate of the client. */
  readonly mutual: string[];
  /** Has signed the broker's certificate, and signs those of clients. */
  readonly authority: TestAuthority;
  readonly username: string;
  readonly password: string;
}

const USERNAME = 'cellarman';
const PASSWORD = 'of-the-tests';
const HOST = '127.0.0.1';
const READY_MS = 110_000;
const JVM = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export interface KafkaClusterOptions {
  /** Two more listeners with TLS: one wants a user, the other a certificate. */
  isSecured?: boolean;
  /** More users, with the same password. If there are some, ACLs are enforced: they may do nothing until they are allowed. */
  users?: readonly string[];
}

export async function startKafkaCluster(
  size: number,
  { isSecured = false, users = [] }: KafkaClusterOptions = {},
): Promise<KafkaCluster> {
  const dir = await mkdtemp(join(tmpdir(), 'cellarman-kafka-'));
  const { kafkaClassPath } = await mavenArtifacts(cacheDir(), (_, work) => work());
  const [controllerPort = 0, securedPort = 0, mutualPort = 0, ...ports] = await unusedPorts(size + 3);
  const clusterId = Buffer.from(crypto.randomUUID().slice(0, 16)).toString('base64url');
  const running = new Map<number, ChildProcess>();
  const home = (id: number) => join(dir, String(id));
  const authority = await createTestAuthority();
  const stores = { key: join(dir, 'broker.pem'), trust: join(dir, 'authority.pem') };
  if (isSecured) {
    const { cert, key } = await authority.issue({ names: [HOST] });
    await writeFile(stores.key, key + cert);
    await writeFile(stores.trust, authority.certificate);
  }

  const java = (args: string[]) => ['-cp', kafkaClassPath, ...args];

  async function format(id: number): Promise<void> {
    await mkdir(home(id));
    const file = join(home(id), 'server.properties');
    const port = ports[id - 1] ?? 0;
    const settings = serverProperties({ id, size, port, controllerPort, data: join(home(id), 'data') });
    const secured = isSecured ? withTls(settings, { securedPort, mutualPort, stores }) : settings;
    await writeFile(file, users.length > 0 ? secured + AUTHORIZER : secured);
    const user = (isSecured ? [USERNAME, ...users] : []).map(
      (name) => `--add-scram=SCRAM-SHA-512=[name=${name},password=${PASSWORD}]`,
    );
    const tool = [
      ...JVM,
      ...java(['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', file, ...user]),
    ];
    const { exitCode, output } = await runCommand('java', tool);
    if (exitCode !== 0) throw new Error(`Kafka's storage cannot be formatted: ${output}`);
  }

  async function start(id: number): Promise<void> {
    const logFile = join(home(id), 'log');
    const log = openSync(logFile, 'a');
    const child = spawn('java', [...JVM, ...java(['kafka.Kafka', join(home(id), 'server.properties')])], {
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    running.set(id, child);
    const deadline = performance.now() + READY_MS;
    while (!(await brokerResponds(HOST, ports[id - 1] ?? 0).catch(() => false))) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`Broker ${id} does not answer: ${(await readFile(logFile, 'utf8')).slice(-2_000)}`);
      }
      await delay(200);
    }
  }

  async function kill(id: number): Promise<void> {
    const child = running.get(id);
    if (child === undefined) return;
    running.delete(id);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  const ids = Array.from({ length: size }, (_, i) => i + 1);
  const stop = async (): Promise<void> => {
    await Promise.all(ids.map(kill));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await Promise.all(ids.map(format));
    await Promise.all(ids.map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    brokers: ids.map((id) => `${HOST}:${ports[id - 1]}`),
    secured: {
      brokers: [`${HOST}:${securedPort}`],
      mutual: [`${HOST}:${mutualPort}`],
      authority,
      username: USERNAME,
      password: PASSWORD,
    },
    signal: (id, signal) => void running.get(id)?.kill(signal),
    kill,
    start,
    stop,
  };
}

/** The listener without users has all permissions, as the brokers and their operators do. */
const AUTHORIZER = `
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:${USERNAME}
`;

/** The settings with two more listeners: one takes a user over TLS alone, the other who shows a certificate. */
function withTls(
  settings: string,
  options: { securedPort: number; mutualPort: number; stores: { key: string; trust: string } },
): string {
  const { securedPort, mutualPort, stores } = options;
  const listeners = `SECURED://${HOST}:${securedPort},MUTUAL://${HOST}:${mutualPort}`;
  const login = 'org.apache.kafka.common.security';
  const user = `username="${USERNAME}" password="${PASSWORD}" user_${USERNAME}="${PASSWORD}"`;
  return `${settings
    .replace(/^(listeners=.*)$/m, `$1,${listeners}`)
    .replace(/^(advertised\.listeners=.*)$/m, `$1,${listeners}`)
    .replace(/^(listener\.security\.protocol\.map=.*)$/m, '$1,SECURED:SASL_SSL,MUTUAL:SSL')}
ssl.keystore.type=PEM
ssl.keystore.location=${stores.key}
ssl.truststore.type=PEM
ssl.truststore.location=${stores.trust}
listener.name.mutual.ssl.client.auth=required
listener.name.secured.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
listener.name.secured.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required ${user};
listener.name.secured.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;
`;
}

function serverProperties(options: {
  id: number;
  size: number;
  port: number;
  controllerPort: number;
  data: string;
}): string {
  const { id, size, port, controllerPort, data } = options;
  const controls = id === 1;
  const client = `PLAINTEXT://${HOST}:${port}`;
  const controller = `CONTROLLER://${HOST}:${controllerPort}`;
  return `
process.roles=${controls ? 'broker,controller' : 'broker'}
node.id=${id}
listeners=${controls ? `${client},${controller}` : client}
advertised.listeners=${client}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@${HOST}:${controllerPort}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${data}
auto.create.topics.enable=false
offsets.topic.replication.factor=${size}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=${size}
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=4000
broker.heartbeat.interval.ms=500
`;
}
