import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, BenchOptions, Row } from '../bench.ts';
import { residentMiB } from '../cpu-time.ts';
import { median, round } from '../median.ts';
import type { Candidate } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { errorsOf, runGoodClient } from './good-client.ts';
import type { Generated } from './generate.ts';
import { createLoopbackAddresses, whileHolding } from './hold.ts';

/** A process that may open 20,000 files needs some for itself. */
const IDLE = 19_600;
/** Two processes hold them, since each may have no more open files than the service itself. */
const HOLDERS = 2;
/** Node gives back memory some time after it is free. */
const SETTLE_MS = 2_000;

interface Sample {
  alone: Generated;
  beside: Generated;
  kibPerConnection: number;
}

async function pair(
  ingest: Candidate,
  seconds: number,
  idle: number,
  address: () => string,
): Promise<Sample> {
  const alone = await runGoodClient(ingest, seconds);
  const before = await residentMiB(ingest.pid);
  const options = {
    ...ingest,
    kind: 'reading' as const,
    behaviour: 'idle' as const,
    connections: idle / HOLDERS,
  };
  const { result } = await whileHolding({ ...options, localAddress: address() }, () =>
    whileHolding({ ...options, localAddress: address() }, async () => {
      await delay(SETTLE_MS);
      const kibPerConnection = (((await residentMiB(ingest.pid)) - before) * 1_024) / idle;
      return { alone, beside: await runGoodClient(ingest, seconds), kibPerConnection };
    }),
  );
  return result.result;
}

async function measure({ seconds, pairs }: BenchOptions, idle: number): Promise<Row> {
  const address = createLoopbackAddresses();
  return withProductWithoutSink(async (run) => {
    const ingest = ingestOf(run);
    const samples: Sample[] = [];
    for (let n = 0; n < pairs; n++) samples.push(await pair(ingest, seconds, idle, address));
    const of = (figure: (sample: Sample) => number) => round(median(samples.map(figure)));
    return {
      idle,
      'p99 ms alone': of(({ alone }) => alone.accepted99.due),
      'p99 ms beside them': of(({ beside }) => beside.accepted99.due),
      ratio: of(({ alone, beside }) => beside.accepted99.due / alone.accepted99.due),
      'errors of the good': samples.reduce((sum, { beside }) => sum + errorsOf(beside), 0),
      'KiB per connection': of(({ kibPerConnection }) => kibPerConnection),
    };
  });
}

export const idleConnections: Bench = {
  what: 'thousands of idle keep-alive connections: p99 of a good client beside them, memory of each',
  async run(options) {
    const row = await measure(options, IDLE);
    return {
      tables: [
        {
          title: 'Idle connections',
          note: 'A client that sends 500 readings/s on 32 connections, alone and beside connections that were used once and rest.',
          rows: [row],
        },
      ],
      figures: {
        'idle p99 ratio': Number(row['ratio']),
        'KiB per idle connection': Number(row['KiB per connection']),
      },
    };
  },
};
