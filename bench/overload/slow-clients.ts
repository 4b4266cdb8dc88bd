import type { Bench, BenchOptions, Row } from '../bench.ts';
import { median, round } from '../median.ts';
import type { Candidate } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { errorsOf, runGoodClient } from './good-client.ts';
import type { Generated } from './generate.ts';
import type { Behaviour, HeldReport } from './held-connections.ts';
import { createLoopbackAddresses, whileHolding } from './hold.ts';

const SLOW = 2_000;
/** Long enough that each is cut at least once. */
const LEAST_SECONDS = 15;

interface Sample {
  alone: Generated;
  beside: Generated;
  held: HeldReport;
}

async function pair(
  ingest: Candidate,
  seconds: number,
  behaviour: Behaviour,
  localAddress: string,
): Promise<Sample> {
  const alone = await runGoodClient(ingest, seconds);
  const options = { ...ingest, kind: 'reading' as const, behaviour, connections: SLOW, localAddress };
  const { result: beside, held } = await whileHolding(options, () => runGoodClient(ingest, seconds));
  return { alone, beside, held };
}

async function measure({ seconds, pairs }: BenchOptions): Promise<Row[]> {
  const address = createLoopbackAddresses();
  return withProductWithoutSink(async (run) => {
    const ingest = ingestOf(run);
    const rows: Row[] = [];
    for (const behaviour of ['trickles headers', 'trickles body'] as const) {
      const samples: Sample[] = [];
      for (let n = 0; n < pairs; n++) {
        samples.push(await pair(ingest, Math.max(seconds, LEAST_SECONDS), behaviour, address()));
      }
      const of = (figure: (sample: Sample) => number) => round(median(samples.map(figure)));
      rows.push({
        'slow clients': `${SLOW}, each ${behaviour}`,
        'cut after s': `${round(Math.min(...samples.map(({ held }) => held.shortestMs)) / 1_000)} – ${round(Math.max(...samples.map(({ held }) => held.longestMs)) / 1_000)}`,
        cut: samples.reduce((sum, { held }) => sum + held.cut, 0),
        'with 408': samples.reduce((sum, { held }) => sum + (held.statuses['408'] ?? 0), 0),
        'p99 ms alone': of(({ alone }) => alone.accepted99.due),
        'p99 ms beside them': of(({ beside }) => beside.accepted99.due),
        ratio: of(({ alone, beside }) => beside.accepted99.due / alone.accepted99.due),
        'errors of the good': samples.reduce((sum, { beside }) => sum + errorsOf(beside), 0),
      });
    }
    return rows;
  });
}

export const slowClients: Bench = {
  what: '2,000 connections that trickle headers or bodies: when they are cut, p99 of a good client beside them',
  async run(options) {
    const rows = await measure(options);
    return {
      tables: [
        {
          title: 'Slow clients',
          note: `A client that sends 500 readings/s on 32 connections, alone and beside ${SLOW} connections that send a byte in a second and come back when they are cut.`,
          rows,
        },
      ],
      figures: {},
    };
  },
};
