import { freePorts, startProduct, startTcpProxy, unusedPorts } from '@cellarman/local-stack';
import type { Candidate } from './candidate.ts';
import { ingestOf } from './product-harness.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

/** All of Cellarman with a paused sink and a link to Kafka that carries so much, until `widen` is called. */
export async function withNarrowKafka<T>(
  bytesPerSecond: number,
  work: (ingest: Candidate, widen: () => void) => Promise<T>,
): Promise<T> {
  return withTemporaryDirectory(async (dataDir) => {
    const ports = await freePorts();
    const [port = 0] = await unusedPorts(1);
    const [broker] = ports.engines.kafka;
    if (broker === undefined) throw new Error('no port of a broker');
    broker.advertised = port;
    const link = await startTcpProxy({ port, upstreamPort: broker.broker });
    try {
      const product = await startProduct({ dataDir, ports });
      try {
        product.kill('sink', 0, 'SIGSTOP');
        link.set({ kind: 'narrow', bytesPerSecond });
        return await work(ingestOf(product.run()), () => link.set({ kind: 'open' }));
      } finally {
        link.set({ kind: 'open' });
        product.kill('sink', 0, 'SIGCONT');
        await product.stop();
      }
    } finally {
      await link.close();
    }
  });
}
