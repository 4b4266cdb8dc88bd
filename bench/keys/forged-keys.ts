/* eslint-disable no-console -- prints a table */
/**
 * Forged keys against a running ingest, in pairs: good keys alone, then beside the attack. New keys are made, used and
 * revoked all the while.
 *
 * `node bench/keys/forged-keys.ts [--count 1000000] [--pairs 3] [--rate 2500] [--good 300] [--alone 30] [--json FILE]`
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProduct } from '@cellarman/local-stack';
import { cpuMicroseconds, residentMiB } from '../cpu-time.ts';
import { median, round } from '../median.ts';
import { signIn } from './administrator.ts';
import type { AttackOptions, AttackResult } from './attack.ts';
import { goodLoad } from './good-load.ts';
import type { GoodLoadResult } from './good-load.ts';
import { useNewKeys } from './new-keys.ts';
import type { NewKey } from './new-keys.ts';
import { setNiceness } from './niceness.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    pairs: { type: 'string', default: '3' },
    rate: { type: 'string', default: '2500' },
    good: { type: 'string', default: '300' },
    alone: { type: 'string', default: '30' },
    json: { type: 'string' },
  },
});
const pairs = Number(values.pairs);
const CELLAR = 'attacked';
/**
 * Good clients, attackers and ClickHouse have machines of their own. Here they share the cores with ingest and Kafka, so the first
 * wait for none, and the others for everybody; without that a p99 tells mostly how long the client itself waited, or ingest for
 * an insert.
 */
const GOOD_CLIENT = -10;
const CLICKHOUSE = 10;
const ATTACKER = 19;
const aloneSeconds = Number(values.alone);

interface Phase {
  phase: 'alone' | 'attacked';
  good: GoodLoadResult;
  attack: AttackResult | undefined;
  newKeys: NewKey[];
  /** CPU time per second of the phase, in milliseconds, and the most memory that was seen. */
  ingest: Usage;
  keyService: Usage;
}

interface Usage {
  cpuMsPerSecond: number;
  peakMiB: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-bench-'));
const product = await startProduct({ dataDir, ports: 'free' });
try {
  const { ingestUrl, keyServiceUrl, admin } = product.run();
  setNiceness(process.pid, GOOD_CLIENT);
  const administrator = await signIn({ keyServiceUrl: () => keyServiceUrl, admin });
  await administrator.createCellar(CELLAR, { rateLimit: { perSecond: 1_000_000, burst: 10_000_000 } });
  const apiKeys: string[] = [];
  for (let i = 0; i < 20; i++) apiKeys.push((await administrator.createKey(CELLAR)).secret);

  const pidOf = (name: string) => product.run().processes[name]?.[0] ?? 0;

  setNiceness(pidOf('clickhouse'), CLICKHOUSE);

  async function watch(pid: number, until: Promise<unknown>): Promise<Usage> {
    const [cpu, began] = [await cpuMicroseconds(pid), performance.now()];
    let peakMiB = 0;
    let ended = false;
    const end = until.finally(() => (ended = true));
    do {
      peakMiB = Math.max(peakMiB, await residentMiB(pid));
      await Promise.race([delay(500), end]);
    } while (!ended);
    const seconds = (performance.now() - began) / 1_000;
    return { cpuMsPerSecond: ((await cpuMicroseconds(pid)) - cpu) / 1_000 / seconds, peakMiB };
  }

  async function run(phase: Phase['phase'], attack: Promise<AttackResult | undefined>): Promise<Phase> {
    const until = attack.then(() => undefined);
    const [good, newKeys, ingest, keyService] = await Promise.all([
      goodLoad({ url: ingestUrl, cellar: CELLAR, apiKeys, perSecond: Number(values.good), until }),
      useNewKeys({ administrator, ingestUrl, cellar: CELLAR, until }),
      watch(pidOf('ingest'), until),
      watch(pidOf('key-service'), until),
    ]);
    return { phase, good, attack: await attack, newKeys, ingest, keyService };
  }

  const attackOptions: AttackOptions = {
    urls: [ingestUrl],
    goodKey: apiKeys[0] ?? '',
    cellar: CELLAR,
    count: Math.ceil(Number(values.count) / pairs),
    perSecond: Number(values.rate),
    connections: 256,
  };
  await run('alone', delay(5_000, undefined));
  const phases: Phase[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    for (const phase of [
      await run('alone', delay(aloneSeconds * 1_000, undefined)),
      await run('attacked', attackFromOutside(attackOptions)),
    ]) {
      phases.push(phase);
      console.table([row(phase)]);
    }
  }
  const summary = summarize(phases);
  console.table([summary]);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ summary, phases }, null, 2)}\n`);
  }
  if (summary.accepted > 0) process.exitCode = 1;
} finally {
  // The session is that of the shell.
  setNiceness(process.pid, 0);
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** In a process and a session of its own, so that it does not slow the good load down by sharing its event loop. */
async function attackFromOutside(options: AttackOptions): Promise<AttackResult> {
  const attacker = spawn(
    process.execPath,
    [join(import.meta.dirname, 'attack.ts'), JSON.stringify(options)],
    // It ends when its input does, also when this process is killed.
    { detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  setNiceness(attacker.pid ?? 0, ATTACKER);
  return (await json(attacker.stdout)) as AttackResult;
}

function row({ phase, good, attack, newKeys, ingest, keyService }: Phase) {
  const waits = newKeys.map(({ acceptedAfterMs }) => acceptedAfterMs);
  return {
    phase,
    'good/s p50 ms': round(good.p50Ms),
    'p99 ms': round(good.p99Ms),
    'max ms': round(good.maxMs),
    good: JSON.stringify(good.answers),
    'forged/s':
      attack === undefined ? 0 : round(Object.values(attack.answers).reduce(sum, 0) / attack.seconds),
    forged: JSON.stringify(attack?.answers ?? {}),
    accepted: attack?.accepted.length ?? 0,
    'new keys': newKeys.length,
    'in at once': newKeys.filter(({ attempts }) => attempts === 1).length,
    'longest ms': round(Math.max(0, ...waits)),
    'revoked max ms': round(Math.max(0, ...newKeys.map(({ refusedAfterMs }) => refusedAfterMs))),
    'ingest CPU ms/s': round(ingest.cpuMsPerSecond),
    'ingest MiB': round(ingest.peakMiB),
    'keys CPU ms/s': round(keyService.cpuMsPerSecond),
    'keys MiB': round(keyService.peakMiB),
  };
}

function summarize(phases: readonly Phase[]) {
  const alone = phases.filter(({ phase }) => phase === 'alone');
  const attacked = phases.filter(({ phase }) => phase === 'attacked');
  const ratios = attacked.map(({ good }, i) => good.p99Ms / (alone[i]?.good.p99Ms ?? Number.NaN));
  return {
    forged: attacked.flatMap(({ attack }) => Object.values(attack?.answers ?? {})).reduce(sum, 0),
    'right checksum': attacked.map(({ attack }) => attack?.sent['right checksum'] ?? 0).reduce(sum, 0),
    accepted: attacked.map(({ attack }) => attack?.accepted.length ?? 0).reduce(sum, 0),
    'p99 ms alone': round(median(alone.map(({ good }) => good.p99Ms))),
    'p99 ms attacked': round(median(attacked.map(({ good }) => good.p99Ms))),
    'x alone': round(median(ratios)),
    'ingest MiB': round(Math.max(...attacked.map(({ ingest }) => ingest.peakMiB))),
    'key-service MiB': round(Math.max(...attacked.map(({ keyService }) => keyService.peakMiB))),
  };
}

function sum(a: number, b: number): number {
  return a + b;
}
