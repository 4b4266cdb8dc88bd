/* eslint-disable no-console -- prints a table */
/**
 * Revocations over three replicas of ingest: how long after its confirmation a revoked key is refused everywhere. First
 * undisturbed, then with Redis and key-service killed by turns.
 *
 * `node bench/keys/revocations.ts [--count 1000] [--replicas 3] [--at-once 4] [--json FILE]`
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProduct } from '@cellarman/local-stack';
import { round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { signIn } from './administrator.ts';
import { insist } from './insist.ts';
import { revokeAndWatch } from './revoke-and-watch.ts';
import { trySend } from './try-send.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    replicas: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '4' },
    json: { type: 'string' },
  },
});
const count = Number(values.count);
const CELLAR = 'revoked';
const REVOKED_BETWEEN_KILLS = 25;

const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-bench-'));
const product = await startProduct({ dataDir, ports: 'free', ingestReplicas: Number(values.replicas) });
try {
  const { ingestUrls: urls, keyServiceUrl, admin } = product.run();
  const administrator = await signIn({ keyServiceUrl: () => keyServiceUrl, admin });
  await administrator.createCellar(CELLAR);
  const revoked: string[] = [];

  async function measure(situation: string, revocations: number) {
    const waits: number[] = [];
    let left = revocations;
    const inTurn = async () => {
      while (left-- > 0) {
        const { id, secret } = await insist(() => administrator.createKey(CELLAR));
        const revoke = () => insist(() => administrator.revoke(CELLAR, id));
        const replicas = await revokeAndWatch({
          urls,
          cellar: CELLAR,
          apiKey: secret,
          revoke,
          deadlineMs: 60_000,
        });
        waits.push(Math.max(...replicas));
        revoked.push(secret);
      }
    };
    await Promise.all(Array.from({ length: Number(values['at-once']) }, inTurn));
    waits.sort((a, b) => a - b);
    const figures = {
      situation,
      revocations: waits.length,
      'p50 ms': round(percentile(waits, 0.5)),
      'p99 ms': round(percentile(waits, 0.99)),
      'max ms': round(percentile(waits, 1)),
    };
    console.table([figures]);
    return figures;
  }

  /** The next one dies when the last is back and some more keys are revoked, however slow the machine is. */
  async function whileKilling<Result>(work: () => Promise<Result>): Promise<Result> {
    let ended = false;
    const working = work().finally(() => (ended = true));
    const isOver = (): boolean => ended;
    let kills = 0;
    for (
      let next = revoked.length + REVOKED_BETWEEN_KILLS;
      !isOver();
      await Promise.race([delay(50), working])
    ) {
      if (revoked.length < next || !(await isReady())) continue;
      product.kill(kills++ % 2 === 0 ? 'redis' : 'key-service', 0, 'SIGKILL');
      next = revoked.length + REVOKED_BETWEEN_KILLS;
    }
    console.log(`${kills} kills of Redis and key-service by turns`);
    return working;
  }

  async function isReady(): Promise<boolean> {
    return fetch(`${keyServiceUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  const report = [
    await measure('undisturbed', Math.ceil(count / 2)),
    await whileKilling(() => measure('Redis and key-service killed', Math.floor(count / 2))),
  ];
  let acceptedAgain = 0;
  for (const apiKey of revoked) {
    const answers = await Promise.all(urls.map((url) => trySend({ url, apiKey, cellar: CELLAR })));
    acceptedAgain += answers.filter((answer) => answer === 200).length;
  }
  console.log(`${revoked.length} keys were tried once more on each replica: ${acceptedAgain} accepted`);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ report, acceptedAgain }, null, 2)}\n`);
  }
  if (acceptedAgain > 0) process.exitCode = 1;
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
