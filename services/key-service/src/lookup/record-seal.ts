import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { keyRecordSchema } from '@cellarman/contracts';
import type { KeyRecord } from '@cellarman/contracts';
import type { TSchema } from '@sinclair/typebox';

/** Increase it when a field of the record changes its meaning but not its schema. */
const MEANING = 1;

export interface RecordSeal {
  /** Part of every name in Redis: another schema or another secret never meets these entries. */
  namespace: string;
  /** Returns the text to store. It is accepted for the given time. */
  seal(key: KeyRecord, seconds: number): string;
  /**
   * Returns the record, or undefined when it has expired.
   *
   * @throws when the text was not sealed with this secret, or belongs to another hash
   */
  open(text: string, hash: string): KeyRecord | undefined;
}

export interface RecordSealOptions {
  secret: string;
  /** @default keyRecordSchema */
  schema?: TSchema;
  /** @default Date.now */
  now?: () => number;
}

/**
 * Authenticates the key records in Redis, so that write access to Redis does not create API keys.
 *
 * The time limit is part of what is authenticated: an entry that was copied before a revocation and put back after it
 * is accepted for as long as an entry is kept, and no longer.
 */
export function createRecordSeal(options: RecordSealOptions): RecordSeal {
  const { secret, schema = keyRecordSchema, now = Date.now } = options;
  const shape = createHash('sha256')
    .update(`${MEANING} ${JSON.stringify(schema)}`)
    .digest('hex');
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `cellarman key cache ${purpose} ${shape}`, 32));
  const sealKey = derive('seal');
  const mac = (body: string) => createHmac('sha256', sealKey).update(body).digest('base64url');

  return {
    namespace: derive('namespace').toString('hex', 0, 8),
    seal(key, seconds) {
      const body = JSON.stringify({ until: now() + seconds * 1_000, key });
      return `${mac(body)}.${body}`;
    },
    open(text, hash) {
      const end = text.indexOf('.');
      const body = text.slice(end + 1);
      const given = Buffer.from(text.slice(0, Math.max(end, 0)));
      const expected = Buffer.from(mac(body));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new Error('the entry was not written by key-service');
      }
      const { until, key } = JSON.parse(body) as { until: number; key: KeyRecord };
      if (key.hash !== hash) throw new Error('the entry belongs to another key');
      return now() < until ? key : undefined;
    },
  };
}
