import type { components, paths } from '../api/generated/key-service.ts';
import { describeExactly } from '../display/describe-number.ts';
import { describeRejection } from '../rejections/describe-rejection.ts';

export type SentReading =
  paths['/api/v1/cellars/{cellar}/test-readings']['post']['responses']['200']['content']['application/json'];
type Stored = components['schemas']['IngestStored'];

/** Returns "In partition 3 at offset 88,412, with 3 of 3 replicas in sync (checked 6 s before)." */
export function describeAcknowledgement(stored: Stored | null, receivedMs: number): string {
  if (stored === null) return 'This version of ingest does not report the partition and the offset.';
  const { partition, offset, replicas, in_sync_replicas: inSync, replicas_checked_at: checkedAt } = stored;
  const at = offset === undefined ? '' : ` at offset ${describeExactly(offset)}`;
  const place = `In partition ${partition}${at} of ${stored.topic}`;
  if (replicas === undefined || inSync === undefined || checkedAt === undefined) return `${place}.`;
  const age = Math.max(0, Math.round((receivedMs - Date.parse(checkedAt)) / 1_000));
  return `${place}, with ${inSync} of ${replicas} replicas in sync (checked ${age} s before).`;
}

/** Explains a rejection by ingest, and what to do. */
export function describeRejected(result: SentReading): { title: string; text: string; leadsToKeys: boolean } {
  const { status, code, error, retryAfterSeconds } = result;
  if (status === 401) {
    const text = 'It is unknown, revoked or expired. Paste the whole key, or create a new one:';
    return { title: 'Rejected: invalid API key', text, leadsToKeys: true };
  }
  const { label, advice } = describeRejection(code ?? `HTTP ${status}`);
  const retry = retryAfterSeconds === null ? '' : ` Retry in ${retryAfterSeconds} s.`;
  const title = status >= 500 ? 'Not acknowledged' : `Rejected: ${label}`;
  return { title, text: [error, advice].filter(Boolean).join('. ') + retry, leadsToKeys: status === 403 };
}
