import { coalesceRequests } from '@cellarman/concurrency';
import { createTally, observeGauges } from '@cellarman/telemetry';
import type { TallyCell } from '@cellarman/telemetry';
import type { ClientStatus } from '@cellarman/client';
import type { Meter } from '@opentelemetry/api';
import type { Spool } from '../spool.ts';

/** Since the start of the process. */
export type Counts = Record<'http' | 'mqtt', Record<'queued' | 'rejected' | 'unavailable', TallyCell>>;

export function createCounts(meter: Meter): Counts {
  const tally = createTally(
    meter,
    'cellarman_gateway_readings',
    'Readings of devices, by protocol and outcome: queued (on disk), rejected (invalid, or an MQTT message that cannot be mapped), unavailable (the spool did not take it).',
  );
  const of = (protocol: string) => ({
    queued: tally.cell({ protocol, outcome: 'queued' }),
    rejected: tally.cell({ protocol, outcome: 'rejected' }),
    unavailable: tally.cell({ protocol, outcome: 'unavailable' }),
  });
  return { http: of('http'), mqtt: of('mqtt') };
}

/** What the spool itself counts, since it was created. */
export function observeSpool(meter: Meter, spool: Pick<Spool, 'status'>): void {
  // One for all gauges of a scrape.
  const status = coalesceRequests({
    async send(askers: readonly undefined[]) {
      const found = await spool.status();
      return askers.map(() => found);
    },
    maxBatch: Infinity,
    maxInFlight: 1,
  });
  const of = (value: (status: ClientStatus) => number) => async () => value(await status(undefined));
  observeGauges(meter, 'cellarman_gateway_', {
    waiting_readings: ['Readings in the spool.', of(({ waiting }) => waiting)],
    spool_bytes: ['Size of the readings in the spool.', of(({ bytes }) => bytes)],
    oldest_reading_age_seconds: [
      'Age of the oldest reading in the spool.',
      of(({ oldestAt }) => ageSeconds(oldestAt)),
    ],
    blocked: [
      '1 when sending needs a person, as after 401.',
      of(({ state }) => (state === 'blocked' ? 1 : 0)),
    ],
  });
  meter
    .createObservableCounter('cellarman_gateway_forwarded_readings', {
      description: 'Readings in this spool by what became of them: sent, rejected by ingest, dropped.',
    })
    .addCallback(async (result) => {
      const found = await status(undefined);
      for (const outcome of ['sent', 'rejected', 'dropped'] as const)
        result.observe(found[outcome], { outcome });
    });
}

export function ageSeconds(oldestAt: string | null): number {
  return oldestAt === null ? 0 : Math.max(0, Math.round((Date.now() - Date.parse(oldestAt)) / 1_000));
}
