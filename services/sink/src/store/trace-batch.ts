import { linksFromTraceparents } from '@cellarman/telemetry';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import type { Batch } from '../batch/batch.ts';
import type { StoredBatch } from './store-batch.ts';

type Store = (batch: Batch, signal: AbortSignal) => Promise<StoredBatch>;

/** One span for each batch, with links to the recorded traces of its readings. One for each message would cost more than the insert. */
export function traceBatches(tracer: Tracer, store: Store): Store {
  return (batch, signal) =>
    tracer.startActiveSpan(
      'store batch',
      {
        kind: SpanKind.CONSUMER,
        links: linksFromTraceparents(batch.traceparents),
        attributes: {
          'messaging.system': 'kafka',
          'messaging.operation.type': 'process',
          'messaging.batch.message_count': batch.messages,
          'db.system.name': 'clickhouse',
        },
      },
      async (span) => {
        try {
          const stored = await store(batch, signal);
          span.setAttribute('cellarman.dead_letters', stored.deadLetters);
          return stored;
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
          throw error;
        } finally {
          span.end();
        }
      },
    );
}
