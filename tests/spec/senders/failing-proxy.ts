import { forwardUnchanged, startHttpProxy } from '@cellarman/local-stack';
import type { HttpProxy } from '@cellarman/local-stack';

/**
 * `unavailable`: 503 as ingest sends it. `bad gateway`: 502 as a proxy sends it. `lost`: ingest stores the reading, and its
 * response does not arrive.
 */
export type Behaviour = 'open' | 'unavailable' | 'bad gateway' | 'lost';

/** Stands between a sender and ingest. */
export interface FailingProxy extends HttpProxy {
  behaviour: Behaviour;
  /** Requests with each behaviour so far. */
  count: Record<Behaviour, number>;
}

export async function startFailingProxy(target: string): Promise<FailingProxy> {
  const count = { open: 0, unavailable: 0, 'bad gateway': 0, lost: 0 };
  const state: Pick<FailingProxy, 'behaviour' | 'count'> = { behaviour: 'open', count };
  const proxy = await startHttpProxy(target, async (exchange) => {
    const { behaviour } = state;
    if (behaviour === 'unavailable') {
      const body = '{"status":"error","error":"Kafka has not acknowledged","code":"unavailable"}';
      exchange.reply(503, { 'retry-after': '1', 'content-type': 'application/json' }, body);
    } else if (behaviour === 'bad gateway') {
      exchange.reply(502, { 'content-type': 'text/html' }, '<h1>502 Bad Gateway</h1>');
    } else if (behaviour === 'lost') {
      await exchange.forward();
      exchange.drop();
    } else await forwardUnchanged(exchange);
    count[behaviour] += 1;
  });
  return Object.assign(state, proxy);
}
