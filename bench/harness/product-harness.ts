import { createTopicAdmin, silentLogger } from '@cellarman/kafka';
import { startProduct } from '@cellarman/local-stack';
import type { Product, RunFile, StartProductOptions } from '@cellarman/local-stack';
import type { Candidate } from './candidate.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

/** Ingest as a candidate, with everything on. */
export function ingestOf(run: RunFile): Candidate {
  const { ingest, kafka } = run.processes;
  const pids = { pid: ingest?.[0] ?? 0, kafkaPid: kafka?.[0] ?? 0 };
  return { name: 'Cellarman', url: run.ingestUrl, ...pids, ...run.demo };
}

/** All of Cellarman with fresh data, for the time of `work`. */
export async function withProduct<T>(
  work: (run: RunFile, product: Product) => Promise<T>,
  options: Pick<StartProductOptions, 'env' | 'ingestReplicas'> = {},
): Promise<T> {
  return withTemporaryDirectory(async (dataDir) => {
    const product = await startProduct({ dataDir, ports: 'free', ...options });
    try {
      const run = product.run();
      // For profiling them during the bench.
      process.stdout.write(`process ids: ${JSON.stringify(run.processes)}\n`);
      return await work(run, product);
    } finally {
      await product.stop();
    }
  });
}

/**
 * The same with the sink paused. What is measured then is the way from HTTP into Kafka, which is what the baselines do;
 * a sink that stores meanwhile would take the CPU from Cellarman alone.
 */
export async function withProductWithoutSink<T>(
  work: (run: RunFile, product: Product) => Promise<T>,
  options: Parameters<typeof withProduct>[1] = {},
): Promise<T> {
  return withProduct(async (run, product) => {
    product.kill('sink', 0, 'SIGSTOP');
    try {
      return await work(run, product);
    } finally {
      product.kill('sink', 0, 'SIGCONT');
    }
  }, options);
}

/** A topic like the one of readings, for a baseline that writes what the sink would not take. */
export async function makeTopic(run: RunFile, topic: string): Promise<string> {
  const admin = createTopicAdmin({ brokers: run.kafkaBrokers, clientId: 'bench', logger: silentLogger });
  await admin.createMissing(topic, {
    ...{ partitions: 6, replicationFactor: 1, minInsyncReplicas: 1 },
    ...{ retentionMs: 7 * 86_400_000, maxMessageBytes: 1_048_576 },
  });
  return topic;
}
