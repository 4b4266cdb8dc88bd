import { BATCH_PATH } from '@cellarman/contracts';
import { beforeAll, expect, test, vi } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Owner, Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import { requirement } from './requirements/requirement.ts';

let owner: Owner;
let cellar: Cellar;

beforeAll(async () => {
  owner = await signIn();
  cellar = await owner.openCellar();
});

const BATCHES = 8;
const RACKS_IN_A_BATCH = 3_000;
/** 256 characters, the most that a name may have, of four bytes each. */
const longName = (number: number): string => String(number).padEnd(6, '-') + '🛢'.repeat(250);

test(
  requirement(
    'code.query_too_expensive',
    'a query that exceeds its memory limit is rejected, with the reason',
  ),
  async () => {
    const { secret } = await cellar.createKey({ rateLimit: { perSecond: 100_000, burst: 100_000 } });
    const timestamp = new Date().toISOString();
    for (let batch = 0; batch < BATCHES; batch++) {
      const readings = Array.from({ length: RACKS_IN_A_BATCH }, (_, i) => {
        const rack = longName(batch * RACKS_IN_A_BATCH + i);
        return { cellar: cellar.name, rack, keg: 'level', value: i, timestamp };
      });
      const answer = await send(JSON.stringify(readings), { apiKey: secret, path: BATCH_PATH });
      expect(answer).toMatchObject({ status: 200, body: { accepted: RACKS_IN_A_BATCH } });
    }
    // 24,000 names of 1 KB are more than the 16 MiB that a query may take here.
    await vi.waitFor(
      async () =>
        expect(await owner.ask('GET', `/api/v1/query/cellars/${cellar.name}/racks?limit=1`)).toMatchObject({
          status: 400,
          body: { status: 'error', code: 'query_too_expensive' },
        }),
      { timeout: 60_000, interval: 500 },
    );
  },
);
