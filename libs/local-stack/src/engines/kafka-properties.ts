import { HOST } from '../ports.ts';
import type { BrokerPorts } from '../ports.ts';

/** The server.properties of one of the brokers, with its data in `log`. */
export function serverProperties(options: {
  ports: readonly BrokerPorts[];
  index: number;
  log: string;
}): string {
  const { ports, index, log } = options;
  const { broker, controller, advertised = broker } = ports[index] as BrokerPorts;
  const copies = ports.length;
  const controllers = ports.map((port) => `${HOST}:${port.controller}`);
  // A single one keeps its voters in its log. Several would look for one another at ports of a former start.
  const quorum =
    copies === 1
      ? `controller.quorum.bootstrap.servers=${controllers[0] ?? ''}`
      : `controller.quorum.voters=${controllers.map((at, i) => `${i + 1}@${at}`).join(',')}`;
  return `# Written at every start.
process.roles=broker,controller
node.id=${index + 1}
listeners=PLAINTEXT://${HOST}:${broker},CONTROLLER://${HOST}:${controller}
advertised.listeners=PLAINTEXT://${HOST}:${advertised},CONTROLLER://${HOST}:${controller}
controller.listener.names=CONTROLLER
${quorum}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${log}

# Topics belong to the sink's migration.
auto.create.topics.enable=false

# One broker cannot hold three replicas, and four partitions of each start faster than fifty.
offsets.topic.replication.factor=${copies}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=${copies}
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=4

# Nobody else can join a group of the local stack later.
group.initial.rebalance.delay.ms=0

# After kill -9 the controller rejects the broker until its old session has expired (9 s by default).
# Several on a busy machine must not lose theirs for nothing.
broker.session.timeout.ms=${copies === 1 ? 2000 : 4000}
broker.heartbeat.interval.ms=500
`;
}
