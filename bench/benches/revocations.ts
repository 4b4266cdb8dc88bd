import type { Bench } from '../bench.ts';
import { signIn } from '../keys/owner.ts';
import { revokeAndWatch } from '../keys/revoke-and-watch.ts';
import { round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { withProduct } from '../harness/product-harness.ts';

const REVOCATIONS = 500;
const REPLICAS = 3;
const AT_A_TIME = 4;
const CELLAR = 'revoked';

export const revocations: Bench = {
  what: `from the confirmation of a revocation until all of ${REPLICAS} replicas of ingest reject the key`,
  run: () =>
    withProduct(
      async ({ ingestUrls: urls, keyServiceUrl, admin }) => {
        const owner = await signIn({ keyServiceUrl: () => keyServiceUrl, admin });
        await owner.createCellar(CELLAR);
        const waits: number[] = [];
        let left = REVOCATIONS;
        const revokeSome = async () => {
          while (left-- > 0) {
            const { id, secret } = await owner.createKey(CELLAR);
            const revoke = () => owner.revoke(CELLAR, id);
            waits.push(Math.max(...(await revokeAndWatch({ urls, cellar: CELLAR, apiKey: secret, revoke }))));
          }
        };
        await Promise.all(Array.from({ length: AT_A_TIME }, revokeSome));
        waits.sort((a, b) => a - b);
        const p99 = round(percentile(waits, 0.99));
        const row = {
          revocations: waits.length,
          'p50 ms': round(percentile(waits, 0.5)),
          'p99 ms': p99,
          'max ms': round(percentile(waits, 1)),
        };
        const note = `${AT_A_TIME} at a time, each key known to all replicas. With Redis and key-service killed in between, see \`npx -y pnpm@12 faults keys\`.`;
        return { tables: [{ note, rows: [row] }], figures: { 'revocation p99 ms': p99 } };
      },
      { ingestReplicas: REPLICAS },
    ),
};
