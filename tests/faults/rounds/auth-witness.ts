import { until } from '@cellarman/local-stack';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@cellarman/api-key';
import { INGEST_PATH } from '@cellarman/contracts';
import { request } from 'undici';
import type { RunningRound } from '../round.ts';

/** What a replica of ingest says of a key: it is taken, it is bad (401), nobody can say now (503), or nothing. */
export type Opinion = 'good' | 'bad' | 'later' | 'none';

export interface WitnessKey {
  id: string;
  secret: string;
}

/** Clients with valid, revoked and forged keys that call every replica all the time, and report each wrong response. */
export interface Witness {
  cellar: string;
  createKey(): Promise<WitnessKey>;
  /** From now on a replica that calls this key bad is wrong. */
  expectGood(key: WitnessKey): void;
  /** Revokes it and waits until every replica rejects it. From then on a replica that takes it is wrong. */
  revoke(key: WitnessKey): Promise<void>;
  /** Revokes it and waits for nothing. */
  begin(key: WitnessKey): Promise<void>;
  /** Waits until every replica has this opinion of a key. */
  untilEvery(opinion: Opinion, key: WitnessKey): Promise<void>;
  ask(url: string, secret: string): Promise<Opinion>;
  /** How often each opinion was heard of the good keys so far. */
  heard(): Record<Opinion, number>;
  /** @throws when any response was wrong, or there were none */
  stop(): Promise<void>;
}

const CLIENTS = 4;
const PAUSE_MS = 20;
const GOOD_KEYS = 3;

async function startWitness(run: RunningRound): Promise<Witness> {
  const { harness, management } = run;
  const cellar = `keys-${randomUUID().slice(0, 8)}`;
  const good = new Set<string>();
  const bad = new Set([generateApiKey(), generateApiKey()]);
  const heard: Record<Opinion, number> = { good: 0, bad: 0, later: 0, none: 0 };
  const wrong: string[] = [];
  let answers = 0;
  let asked = 0;
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const urls = (): string[] => harness.product.run().ingestUrls;

  async function client(): Promise<void> {
    while (!isStopping()) {
      const keys = [...good, ...bad];
      const turn = asked++;
      const url = urls()[turn % urls().length] as string;
      const secret = keys[Math.floor(turn / urls().length) % keys.length] as string;
      const [wasGood, wasBad] = [good.has(secret), bad.has(secret)];
      const opinion = await ask(url, secret);
      if (opinion === 'good' || opinion === 'bad') answers += 1;
      // Only what was true before the request and still is.
      if (wasGood && good.has(secret)) {
        heard[opinion] += 1;
        if (opinion === 'bad') wrong.push(`${url} called a good key bad`);
      }
      if (wasBad && opinion === 'good') wrong.push(`${url} took a key that is forged or revoked`);
      await delay(PAUSE_MS);
    }
  }

  async function begin({ id, secret }: WitnessKey): Promise<void> {
    good.delete(secret);
    await management.revokeKey(cellar, id);
  }

  async function untilEvery(opinion: Opinion, { id, secret }: WitnessKey): Promise<void> {
    await until(`every replica says ${opinion} of key ${id}`, async () => {
      const opinions = await Promise.all(urls().map((url) => ask(url, secret)));
      return opinions.every((each) => each === opinion);
    });
  }

  await management.createCellar(cellar);
  const witness: Witness = {
    cellar,
    createKey: () => management.createKey(cellar),
    expectGood: ({ secret }) => void good.add(secret),
    async revoke(key) {
      await begin(key);
      await untilEvery('bad', key);
      bad.add(key.secret);
    },
    begin,
    untilEvery,
    ask,
    heard: () => ({ ...heard }),
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      run.note('answers about good, revoked and forged keys', answers);
      if (answers === 0) throw new Error('No key was ever judged');
      if (wrong.length > 0) throw new Error(`${wrong.length} wrong answers: ${wrong.slice(0, 5).join('; ')}`);
    },
  };
  for (let i = 0; i < GOOD_KEYS; i++) {
    const key = await witness.createKey();
    await untilEvery('good', key);
    witness.expectGood(key);
  }
  const clients = Array.from({ length: CLIENTS }, () =>
    client().catch((error: unknown) => void wrong.push(String(error))),
  );
  return witness;
}

/** Runs `work` with a witness, which is stopped and heard in any case. */
export async function withWitness(
  run: RunningRound,
  work: (witness: Witness) => Promise<void>,
): Promise<void> {
  const witness = await startWitness(run);
  try {
    await work(witness);
  } catch (error) {
    await witness.stop().catch(() => undefined);
    throw error;
  }
  await witness.stop();
}

/** An empty reading: a key that is taken gets 400, and nothing is stored. */
async function ask(url: string, secret: string): Promise<Opinion> {
  try {
    const { statusCode, body } = await request(url + INGEST_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: '{}',
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    await body.dump();
    if (statusCode === 400) return 'good';
    if (statusCode === 401) return 'bad';
    if (statusCode === 503) return 'later';
    throw new Error(`${url} answered ${statusCode} to an empty reading`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return 'none';
  }
}
