import { access, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheDir, javaCommand } from '../../libs/local-stack/src/config.ts';
import { mavenArtifacts } from '../../libs/local-stack/src/engines/maven-artifacts.ts';
import { CHECKOUT, run } from './run.ts';

/** Kafka's own command-line tools, as these scripts run them. */
const TOOLS = {
  'kafka-consumer-groups.sh': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  'kafka-topics.sh': 'org.apache.kafka.tools.TopicCommand',
};

export async function kafkaTool(
  tool: keyof typeof TOOLS,
  brokers: readonly string[],
  args: readonly string[],
): Promise<string> {
  const classPath = await toolsClassPath();
  return run(javaCommand(), [
    '-cp',
    classPath,
    TOOLS[tool],
    '--bootstrap-server',
    brokers.join(','),
    ...args,
  ]);
}

/** The local stack has all of Kafka but this jar, which it does not need. */
async function toolsClassPath(): Promise<string> {
  const { kafkaClassPath } = await mavenArtifacts(cacheDir(), (_, work) => work());
  const jars = await readdir(dirname(kafkaClassPath));
  const version = jars
    .map((jar) => /^kafka-clients-(.+)\.jar$/.exec(jar)?.[1])
    .find((each) => each !== undefined);
  const home = join(CHECKOUT, '.local', 'bin');
  const jar = join(home, `kafka-tools-${version}.jar`);
  const isThere = await access(jar).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await run('mvn', [
      ...['--quiet', '--batch-mode', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'],
      ...[`-Dartifact=org.apache.kafka:kafka-tools:${version}`, `-DoutputDirectory=${home}`],
    ]);
  }
  return `${kafkaClassPath}:${jar}`;
}
