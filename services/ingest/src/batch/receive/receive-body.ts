import type { IncomingMessage } from 'node:http';
import { BatchRejection } from '../batch-rejection.ts';
import type { ByteCollector } from './collect-bytes.ts';

/** Reads the body as it was sent, still compressed, into `collector`. Rejects with a `BatchRejection`. */
export function receiveBody(request: IncomingMessage, collector: ByteCollector): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new BatchRejection('request_timeout', 'The request body did not arrive'));
    if (request.destroyed) gone();
    let rejected = false;
    request.on('data', (chunk: Buffer) => {
      // The rest of a rejected body is discarded, so that the client gets to read its response.
      if (rejected) return;
      try {
        collector.add(chunk);
      } catch (error) {
        rejected = true;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.on('end', () => resolve());
    request.on('error', gone);
    request.on('close', gone);
  });
}
