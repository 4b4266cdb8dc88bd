import { ClientError, openClient } from '@cellarman/client';
import type { ClientStatus, Reading } from '@cellarman/client';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import type { Config } from './config.ts';

/** The client with its spool: what it has on disk reaches ingest, whatever happens to the gateway. */
export interface Spool {
  /**
   * Resolves when the readings are on disk.
   *
   * @throws {ClientError}
   */
  put(readings: readonly Reading[]): Promise<void>;
  status(): Promise<ClientStatus>;
  close(deadlineMs: number): Promise<void>;
}

const REST_MS = 5_000;

const credentials = ({ API_KEY, CLAIM_CODE = '', CLAIM_RACK_PREFIX = '', INGEST_URL, CLAIM_URL }: Config) =>
  API_KEY === undefined
    ? { claimCode: CLAIM_CODE, rack: CLAIM_RACK_PREFIX, claimUrl: CLAIM_URL ?? INGEST_URL }
    : { apiKey: API_KEY };

export async function openSpool(config: Config, readiness: Readiness, logger: Logger): Promise<Spool> {
  const client = await openClient({
    url: config.INGEST_URL,
    ...credentials(config),
    spool: config.SPOOL_FILE,
    maxBytes: config.SPOOL_MAX_BYTES,
    onFull: config.SPOOL_ON_FULL,
    order: config.SEND_ORDER,
    onProblem: ({ code, message }) => logger.warn({ code }, `sending: ${message}`),
  });
  readiness.set('spool', true);
  let last = await client.status();
  let isClosing = false;
  /** Not ready for a while. Probes that failed for longer would keep away the requests that find room again. */
  function rest(reason: string): void {
    readiness.set('spool', false, reason);
    setTimeout(() => readiness.set('spool', true), REST_MS).unref();
  }

  return {
    async put(readings) {
      try {
        await client.put(readings);
        readiness.set('spool', true);
      } catch (error) {
        const isClient = error instanceof ClientError;
        if (isClient && (error.code === 'spool_full' || error.code === 'spool_failed')) rest(error.message);
        throw error;
      }
    },
    async status() {
      // The last scrape of the metrics comes after the client is closed.
      if (!isClosing) last = await client.status();
      return last;
    },
    async close(deadlineMs) {
      last = await client.status();
      isClosing = true;
      const { lastError, lastSuccessAt } = last;
      // Then nothing would be sent before the deadline.
      const isFailing = lastError !== null && lastError.at > (lastSuccessAt ?? '');
      const { waiting } = await client.close(isFailing ? 0 : deadlineMs);
      logger.info({ waiting }, `${waiting} readings wait in the spool for the next start`);
    },
  };
}
