import { freePorts, startProduct, unusedPorts } from '@cellarman/local-stack';
import type { Candidate } from './candidate.ts';
import { ingestOf } from './product-stage.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';
import { startNarrowLink } from './narrow-link.ts';

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
    const link = await startNarrowLink({ port, upstreamPort: broker.broker });
    try {
      const product = await startProduct({ dataDir, ports });
      try {
        product.kill('sink', 0, 'SIGSTOP');
        link.narrow(bytesPerSecond);
        return await work(ingestOf(product.run()), () => link.narrow(Infinity));
      } finally {
        link.narrow(Infinity);
        product.kill('sink', 0, 'SIGCONT');
        await product.stop();
      }
    } finally {
      await link.close();
    }
  });
}
