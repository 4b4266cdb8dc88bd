import { appendFile, rename, stat } from 'node:fs/promises';
import type { Logger } from '@cellarman/telemetry';

/** Then the file is renamed, so that two of this size exist at most. */
const MAX_BYTES = 10 * 1_048_576;
const WARN_INTERVAL_MS = 10_000;

export interface RejectedMessage {
  key: string;
  topic: string;
  payload: Buffer;
  reason: string;
}

/** Sets messages aside that are no readings. They are acknowledged, because sending them again would not help. */
export function createRejectedMessages(file: string, logger: Logger) {
  let last: Promise<unknown> = Promise.resolve();
  let warnedAt = -Infinity;
  let unlogged = 0;

  async function write({ key, topic, payload, reason }: RejectedMessage): Promise<void> {
    const text = payload.toString('utf8');
    const isText = Buffer.from(text).equals(payload);
    const content = isText ? { payload: text } : { payloadBase64: payload.toString('base64') };
    const line = JSON.stringify({ at: new Date().toISOString(), key, topic, reason, ...content });
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size > MAX_BYTES) await rename(file, `${file}.1`);
    await appendFile(file, `${line}\n`, { flush: true, mode: 0o600 });
  }

  /** Resolves when the message is on disk. One after the other, so that lines do not mix. */
  return function setAside(message: RejectedMessage): Promise<void> {
    unlogged += 1;
    if (performance.now() - warnedAt > WARN_INTERVAL_MS) {
      const { key, topic, reason } = message;
      logger.warn({ key, topic, reason, count: unlogged, file }, 'MQTT messages were set aside');
      warnedAt = performance.now();
      unlogged = 0;
    }
    const written = last.then(() => write(message));
    last = written.catch(() => undefined);
    return written;
  };
}
