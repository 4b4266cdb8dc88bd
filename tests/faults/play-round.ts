import { until } from '@cellarman/local-stack';
import { randomUUID } from 'node:crypto';
import { DEAD_LETTER_TOPIC, READINGS_TOPIC } from '@cellarman/contracts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { publishInvalid } from './invalid-messages.ts';
import { startLoad } from './load.ts';
import { signIn } from './management.ts';
import type { Management } from './management.ts';
import { problemsOf } from './problems.ts';
import type { Bounds, Round, RoundReport } from './round.ts';
import type { Harness } from './harness.ts';
import { countMischarted, countStored, storedRows, viewOf } from './stored-rows.ts';
import { countDeadLetters, countOutOfOrder, topicRows } from './topic-rows.ts';
import { verifyRound } from './verified.ts';

export interface PlayOptions {
  /** Of the round, or none: a busy machine says nothing about time. */
  bounds?: Bounds;
  say?: (text: string) => void;
}

const RACKS = 50;
/** Acknowledged readings before fault injection starts. */
const WARM_UP = 200;
const SETTLE_MS = 120_000;
/** A busy machine takes its time. */
const PATIENCE_MS = 600_000;

/** Plays a round on a running product, with a cellar, a key and a ledger of its own. */
export async function playRound(
  harness: Harness,
  round: Round,
  options: PlayOptions = {},
): Promise<RoundReport> {
  const { bounds = {}, say = () => undefined } = options;
  const since = Date.now();
  const cellar = `round-${randomUUID().slice(0, 8)}`;
  const management = await signIn(harness.product.run());
  await management.createCellar(cellar);
  const { secret: apiKey } = await management.createKey(cellar);
  const { senders } = round;
  const ledger = createLedger({ cellar, racks: RACKS, ...senders });
  const to = { urls: harness.urls, apiKey, ledger };
  const load = senders?.start(harness, { ...to, cellar }) ?? startLoad({ ...to, ...round.load });
  const figures: Record<string, number> = {};
  const acknowledgedGrows = async (by: number): Promise<void> => {
    const goal = ledger.acknowledged() + by;
    await until(`${by} more readings are acknowledged`, () => ledger.acknowledged() >= goal, {
      deadlineMs: PATIENCE_MS,
    });
  };
  let invalid = 0;
  let failure: string | undefined;
  try {
    await acknowledgedGrows(WARM_UP);
    await round.fault({
      ...{ harness, load, ledger, cellar, apiKey, management, acknowledgedGrows, say },
      publishInvalid: async (count) => {
        await publishInvalid(harness.product.run(), cellar, count);
        invalid += count;
      },
      note: (name, value) => (figures[name] = Math.max(value, figures[name] ?? value)),
    });
    await acknowledgedGrows(WARM_UP);
  } catch (error) {
    // What was acknowledged until then is still compared with what is stored.
    failure = (error as Error).message;
  }
  // While the load stops nobody is without service.
  const { longestOutageMs } = load.figures();
  await load.stop().catch((error: unknown) => (failure ??= (error as Error).message));
  const tally = { ...load.figures(), longestOutageMs };

  say(`${ledger.acknowledged()} acknowledged; waiting for the view`);
  const found = await compare(harness, {
    ...{ ledger, cellar, since, ms: round.settleMs, isOrdered: senders !== undefined },
  });
  found.deadLetters -= invalid;
  const report = {
    ...{ round: round.name, ...tally, ...found, invalid, figures, problems: [] },
    ...(round.isVerified === true && {
      verified: await verifyRound(harness.product.run(), { cellar, since }),
      listed: await countListed(management, cellar, invalid),
    }),
  };
  const problems = problemsOf(report, { ...round, bounds });
  return { ...report, problems: failure === undefined ? problems : [failure, ...problems] };
}

async function compare(
  { product }: Harness,
  of: { ledger: Ledger; cellar: string; since: number; ms: number | undefined; isOrdered: boolean },
): Promise<Pick<RoundReport, 'view' | 'topic' | 'outOfOrder' | 'deadLetters' | 'mischarted'>> {
  const { ledger, cellar, since, ms = SETTLE_MS, isOrdered } = of;
  const { kafkaBrokers: brokers, sinkUrl } = product.run();
  const view = { ...viewOf(product.run()), cellar };
  const enough = async (): Promise<boolean> =>
    (await isDrained(sinkUrl)) && (await countStored(view)) >= ledger.acknowledged();
  // What is not there in time is missing, and the verdict says which.
  await until('the view is complete', enough, { deadlineMs: ms, everyMs: 200 }).catch(() => undefined);
  const inTopic = { brokers, cellar, since };
  return {
    view: await ledger.compare(storedRows(view)),
    topic: await ledger.compare(topicRows({ ...inTopic, topic: READINGS_TOPIC }), { mayRepeat: true }),
    outOfOrder: isOrdered ? await countOutOfOrder(topicRows({ ...inTopic, topic: READINGS_TOPIC })) : 0,
    deadLetters: await countDeadLetters({ ...inTopic, topic: DEAD_LETTER_TOPIC }),
    mischarted: await countMischarted(view),
  };
}

/** Returns how many dead letters key-service lists, when it lists all of them or does not in time. */
async function countListed(management: Management, cellar: string, count: number): Promise<number> {
  const all = async (): Promise<boolean> => (await management.countDeadLetters(cellar)) >= count;
  await until('the dead letters are listed', all, { deadlineMs: SETTLE_MS, everyMs: 200 }).catch(
    () => undefined,
  );
  return management.countDeadLetters(cellar);
}

/** True when the sink has committed all that the topic holds: nothing comes after the verdict. */
async function isDrained(sinkUrl: string): Promise<boolean> {
  const answer = await fetch(`${sinkUrl}/metrics`).catch(() => undefined);
  if (answer?.ok !== true) return false;
  const lags = [...(await answer.text()).matchAll(/^(?:cellarman_)?sink_lag_messages\{[^}]*\} (\d+)/gm)];
  return lags.length > 0 && lags.every(([, lag]) => lag === '0');
}
