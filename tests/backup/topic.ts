import { clickhouseVariables } from '@cellarman/local-stack';
import type { Product, RunFile } from '@cellarman/local-stack';
import { ask } from './clickhouse.ts';
import type { Fleet } from './fleet.ts';
import { kafkaTool } from './kafka-tools.ts';
import { run, until } from './run.ts';
import { expectEqual } from './say.ts';
import type { Say } from './say.ts';

const TOPICS = ['cellarman.readings.v1', 'cellarman.readings.v1.dead-letter'];

/** Recreates the topics while ingest keeps requesting them: deleted, or lost with the disks of all brokers. */
export async function rehearseTopic(options: { product: Product; fleet: Fleet; say: Say }): Promise<void> {
  const { product, fleet, say } = options;
  const now = product.run();
  const rows = (): Promise<string> => ask(now, 'SELECT count() FROM readings', now.clickhouseDatabase);
  const stored = await rows();

  const startSink = await product.takeDown('sink', 0);
  await kafkaTool('kafka-topics.sh', now.kafkaBrokers, [
    '--delete',
    '--topic',
    TOPICS.join('|').replaceAll('.', '\\.'),
  ]);
  const rejected = await sendOne(now);
  expectEqual('a reading without a topic', rejected, 503);
  say('sink stopped, both topics deleted; a reading gets 503');

  const migrated = await run(process.execPath, ['services/sink/src/main.ts', 'migrate'], {
    KAFKA_BROKERS: now.kafkaBrokers.join(','),
    ...clickhouseVariables(now),
    CLICKHOUSE_DATABASE: now.clickhouseDatabase,
    ALLOW_WEAK_TOPIC: 'true',
    TOPIC_REPLICATION_FACTOR: '1',
    TOPIC_MIN_INSYNC_REPLICAS: '1',
  });
  expectEqual('topics that were made', /"made":(\[[^\]]*\])/.exec(migrated)?.[1], JSON.stringify(TOPICS));
  const groups = await kafkaTool('kafka-consumer-groups.sh', now.kafkaBrokers, ['--list']);
  if (groups.includes('cellarman-sink')) {
    await kafkaTool('kafka-consumer-groups.sh', now.kafkaBrokers, ['--delete', '--group', 'cellarman-sink']);
  }
  startSink();
  say('`sink migrate` created them, the offsets of the group are deleted, the sink is running');

  await fleet.send(2_000);
  await until('the readings show', async () => Number(await rows()) === Number(stored) + 2_000);
  say(`2000 more readings acknowledged and stored; the ${stored} earlier ones are still there`);
}

async function sendOne({ ingestUrl, demo }: RunFile): Promise<number> {
  const reading = { cellar: demo.cellar, rack: 'r', keg: 'k', value: 1, timestamp: new Date().toISOString() };
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': demo.apiKey },
    body: JSON.stringify(reading),
  });
  await answer.arrayBuffer();
  return answer.status;
}
