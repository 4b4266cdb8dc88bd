import type { Bench, BenchOptions, Row } from '../bench.ts';
import { signIn } from '../keys/administrator.ts';
import { median, round } from '../median.ts';
import type { Candidate } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { errorsOf, runGoodClient } from './good-client.ts';
import { generate } from './generate.ts';
import type { Generated } from './generate.ts';
import type { RequestKind } from './requests.ts';

const KINDS = [
  'one in a hundred bad JSON',
  'bad JSON',
  'wrong content type',
  'oversize body',
  'unknown keys',
] as const satisfies RequestKind[];
const BAD = { connections: 32, perSecond: 500, obeysRetryAfter: false };

interface Sample {
  alone: Generated;
  beside: Generated;
  bad: Generated;
}

async function pair(ingest: Candidate, badKey: string, kind: RequestKind, seconds: number): Promise<Sample> {
  const alone = await runGoodClient(ingest, seconds);
  const [beside, bad] = await Promise.all([
    runGoodClient(ingest, seconds),
    generate({ ...ingest, ...BAD, apiKey: badKey, kind, warmUpSeconds: 1, seconds }),
  ]);
  return { alone, beside, bad };
}

async function measure({ seconds, pairs }: BenchOptions): Promise<Row[]> {
  return withProductWithoutSink(async (run) => {
    const ingest = ingestOf(run);
    const administrator = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
    const { secret } = await administrator.createKey(ingest.cellar);
    const rows: Row[] = [];
    // The first is a good neighbour: what any second client of that rate costs.
    for (const kind of ['reading', ...KINDS] as const) {
      const samples: Sample[] = [];
      for (let n = 0; n < pairs; n++) samples.push(await pair(ingest, secret, kind, seconds));
      const of = (figure: (sample: Sample) => number) => round(median(samples.map(figure)));
      const answers = samples.flatMap(({ bad }) => Object.keys(bad.statuses));
      rows.push({
        neighbour: kind,
        'its answers': [...new Set(answers)].sort().join(', '),
        'p99 ms alone': of(({ alone }) => alone.accepted99.due),
        'p99 ms beside it': of(({ beside }) => beside.accepted99.due),
        ratio: of(({ alone, beside }) => beside.accepted99.due / alone.accepted99.due),
        'throughput share': of(({ alone, beside }) => beside.accepted / alone.accepted),
        'errors of the good': samples.reduce((sum, { beside }) => sum + errorsOf(beside), 0),
      });
    }
    return rows;
  });
}

export const badNeighbours: Bench = {
  what: 'a client with bad input: p99, throughput and errors of a good client, with and without it',
  async run(options) {
    const rows = await measure(options);
    return {
      tables: [
        {
          title: 'Bad neighbours',
          note: `A client that sends 500 readings/s on 32 connections, alone and beside another that sends ${BAD.perSecond} requests/s with a key of its own.`,
          rows,
        },
      ],
      figures: {},
    };
  },
};
