import { join } from 'node:path';
import { READINGS_TOPIC } from '@cellarman/contracts';
import { fetchLogBounds, silentLogger } from '@cellarman/kafka';
import { clickhouseVariables, until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { runCommand } from '../../../libs/local-stack/src/run-command.ts';
import type { Round } from '../round.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..', '..');
const BEFORE = 6;
const AFTER = 12;
/** The keys of 50 racks fill all partitions, nearly always. */
const USED = 3;
const NOTICED_MS = 60_000;

export const partitionsGrow: Round = {
  name: `${BEFORE} partitions become ${AFTER}`,
  isVerified: true,
  load: { batch: 10 },
  async fault(run) {
    const product = run.harness.product.run();
    const before = await fill(product);
    if (before.length !== BEFORE) throw new Error(`there are ${before.length} partitions before`);
    await migrate(product);
    await until(
      'ingest uses the new partitions',
      async () => (await fill(product)).slice(BEFORE).filter((count) => count > 0n).length >= USED,
      { deadlineMs: NOTICED_MS },
    );
    await run.acknowledgedGrows(1_000);
    const after = await fill(product);
    if (after.length !== AFTER) throw new Error(`there are ${after.length} partitions afterwards`);
  },
};

/** How many messages each partition holds. */
async function fill({ kafkaBrokers: brokers }: RunFile): Promise<bigint[]> {
  const connection = { brokers, clientId: 'cellarman-faults', logger: silentLogger };
  const bounds = await fetchLogBounds(connection, READINGS_TOPIC);
  return [...bounds].sort(([a], [b]) => a - b).map(([, { low, high }]) => high - low);
}

/** As an operator does, with a larger value and everything else as it was. */
async function migrate(run: RunFile): Promise<void> {
  const { exitCode, output } = await runCommand(process.execPath, ['services/sink/src/main.ts', 'migrate'], {
    cwd: CHECKOUT,
    env: {
      ...process.env,
      ...clickhouseVariables(run),
      KAFKA_BROKERS: run.kafkaBrokers.join(','),
      CLICKHOUSE_DATABASE: run.clickhouseDatabase,
      TOPIC_PARTITIONS: String(AFTER),
      TOPIC_REPLICATION_FACTOR: '1',
      TOPIC_MIN_INSYNC_REPLICAS: '1',
      ALLOW_WEAK_TOPIC: 'true',
    },
  });
  if (exitCode !== 0) throw new Error(`the migration failed: ${output}`);
}
