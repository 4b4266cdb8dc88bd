import { setTimeout as delay } from 'node:timers/promises';
import { busiestLeader } from '../faults/leaders.ts';
import { secondsSince, whileDown, whilePaused } from '../faults/processes.ts';
import { requestsFail } from '../faults/suffering.ts';
import { withMemory } from '../measure.ts';
import type { RunningRound } from '../round.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const PAUSE_MS = 30_000;
const DOWN_MS = 120_000;
/** What the broker stored before it stopped may still be acknowledged, until the deadline of its request. */
const ON_THE_WAY_MS = 5_000;
const SLOWEST_ANSWER_MS = 10_000;

/** Nothing may be acknowledged while nobody stores. */
async function nothingAcknowledged(run: RunningRound, forMs: number): Promise<void> {
  await delay(ON_THE_WAY_MS);
  const before = run.ledger.acknowledged();
  await delay(forMs - ON_THE_WAY_MS);
  const falsely = run.ledger.acknowledged() - before;
  if (falsely > 0) throw new Error(`${falsely} readings were acknowledged while the broker could not store`);
}

export const brokerPaused: Row = {
  name: 'broker-paused',
  title: 'Broker paused for 30 s',
  goal: '0 false 2xx; no response later than 10 s; a rejected reading that was stored anyway stays one row after a retry',
  parts: [
    {
      name: 'the only broker, 3 times',
      minutes: 6,
      round: {
        name: 'the only broker paused for 30 s, 3 times',
        load: { ...LOAD, clients: 64 },
        bounds: { slowestAnswerMs: SLOWEST_ANSWER_MS },
        settleMs: 180_000,
        async fault(run) {
          for (let i = 0; i < 3; i++) {
            await requestsFail(run, () =>
              whilePaused(run, 'kafka', () => nothingAcknowledged(run, PAUSE_MS)),
            );
            await run.acknowledgedGrows(20_000);
          }
        },
      },
    },
    {
      name: 'the leader of three, 3 times',
      minutes: 7,
      harness: { brokers: 3 },
      round: {
        name: 'the leader of 3 brokers paused for 30 s, 3 times',
        load: { ...LOAD, clients: 64 },
        bounds: { slowestAnswerMs: SLOWEST_ANSWER_MS, longestOutageMs: 20_000 },
        settleMs: 180_000,
        async fault(run) {
          for (let i = 0; i < 3; i++) {
            const leader = await busiestLeader(run);
            await requestsFail(run, () => whilePaused(run, 'kafka', () => delay(PAUSE_MS), leader.index));
            await run.acknowledgedGrows(10_000);
          }
        },
      },
    },
  ],
};

export const brokerDown: Row = {
  name: 'broker-down',
  title: 'Broker down for 2 minutes',
  goal: '503 with Retry-After within 5 s; bounded memory; recovery within 15 s of the broker',
  parts: [
    {
      name: 'the only broker',
      minutes: 6,
      round: {
        name: 'the only broker down for 2 minutes',
        load: { ...LOAD, clients: 64 },
        bounds: { slowestAnswerMs: 5_000 },
        settleMs: 180_000,
        async fault(run) {
          await run.acknowledgedGrows(10_000);
          await withMemory(run, { name: 'ingest', as: 'ingest MiB before' }, () => delay(2_000));
          await withMemory(run, { name: 'ingest', as: 'ingest MiB at most' }, () =>
            whileDown(run, 'kafka', async () => {
              await requestsFail(run, () => nothingAcknowledged(run, DOWN_MS), 1_000);
              await retryAfterIsGiven(run);
            }),
          );
          const begun = performance.now();
          await run.acknowledgedGrows(1);
          run.note('seconds until acknowledged again, after everything was ready', secondsSince(begun));
          await run.acknowledgedGrows(20_000);
        },
      },
    },
  ],
};

async function retryAfterIsGiven({ harness, apiKey, ledger }: RunningRound): Promise<void> {
  const { ingestUrl } = harness.product.run();
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(ledger.next().reading),
  });
  const seconds = answer.headers.get('retry-after');
  if (answer.status !== 503 || !(Number(seconds) > 0)) {
    throw new Error(
      `Without its broker ingest answered ${answer.status}, Retry-After ${seconds ?? 'absent'}`,
    );
  }
}
