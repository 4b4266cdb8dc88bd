/* eslint-disable no-console -- prints every statement */
import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEngines } from '@cellarman/local-stack';
import { Client } from 'pg';
import type { Bench, Row } from '../bench.ts';
import { signIn } from '../keys/owner.ts';
import { executedStatements, logPlans } from '../keys/statements/executed-statements.ts';
import type { ExecutedStatement } from '../keys/statements/executed-statements.ts';
import { fill, KEYS } from '../keys/statements/fill.ts';
import { startKeyService } from '../keys/statements/key-service-process.ts';
import { measureUses } from '../keys/statements/measure-uses.ts';
import { callAll } from '../keys/statements/call-all.ts';
import { statementsInSources } from '../keys/statements/statements-in-sources.ts';
import { round } from '../median.ts';
import { CHECKOUT } from '../record/results.ts';

const GOAL_MS = 300;
/** In docs/performance.md. All of them are printed. */
const SHOWN = 15;
const ADMIN = { email: 'owner@example.com', password: 'correct horse battery' };
/** Kept between runs: to make the rows takes many minutes. */
const DATA = join(CHECKOUT, '.local', 'bench', 'keys-5m');
const PLANS = join(CHECKOUT, '.local', 'bench', 'key-statements-plans.json');

export const keyStatements: Bench = {
  what: `each SQL statement of key-service with ${KEYS.toLocaleString('en')} keys, and the WAL of a use`,
  async run() {
    const engines = await startEngines({ dataDir: DATA, only: ['postgres', 'redis'] });
    const client = new Client({ connectionString: engines.urls.databaseUrl });
    await client.connect();
    try {
      const tokens = { internal: randomBytes(24).toString('hex') };
      const env = {
        DATABASE_URL: engines.urls.databaseUrl,
        REDIS_URL: engines.urls.redisUrl,
        INTERNAL_TOKEN: tokens.internal,
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        MAX_KEYS_PER_CELLAR: '1000000000',
      };
      await (
        await startKeyService(env, 'migrate')
      ).exit;
      const fillSeconds = await fill(client);
      await logPlans(client);
      const logFile = join(DATA, 'logs', 'postgres.log');
      const { size } = await stat(logFile);

      const keyService = await startKeyService(env);
      try {
        const owner = await signIn({ keyServiceUrl: () => keyService.url, admin: ADMIN });
        const call = { url: keyService.url, cookie: owner.cookie, internalToken: tokens.internal };
        const failed = await callAll(client, call);
        const executed = await executedStatements(logFile, size);
        const { rows, missing } = await byPlace(executed);
        await writeFile(
          PLANS,
          JSON.stringify(
            rows.map(({ row, plan }) => ({ ...row, plan })),
            null,
            2,
          ),
        );
        console.table(rows.map(({ row }) => row));
        const uses = await measureUses(client, call);
        const slowest = Math.max(...rows.map(({ row }) => Number(row['max ms'])));
        const note = `${KEYS.toLocaleString('en')} keys in 100,000 cellars, 1,000,000 of them in one. The ${SHOWN} slowest of ${rows.length} statements; the slowest execution of each with its plan is in \`.local/bench/key-statements-plans.json\`. Goal: ≤ ${GOAL_MS} ms. Of the requests ${failed.length} were rejected, such as a sort that a large cellar does not have; ${missing.length} statements in the sources were not reached.`;
        console.log(
          `Rows made in ${fillSeconds} s. Rejected:\n${failed.join('\n')}\nNot reached:\n${missing.join('\n')}`,
        );
        return {
          tables: [
            { note, rows: rows.slice(0, SHOWN).map(({ row }) => row) },
            {
              note: 'The WAL of a use, from pg_stat_wal. Directly after a checkpoint PostgreSQL also writes each changed page as a whole.',
              rows: [
                {
                  'WAL bytes per use': round(uses.walBytes),
                  'after a checkpoint': round(uses.walBytesAfterCheckpoint),
                  'HOT updates': round(uses.hotShare),
                },
              ],
            },
          ],
          figures: {
            'slowest statement ms at 5,000,000 keys': round(slowest),
            'WAL bytes per use of a key': round(uses.walBytes),
          },
        };
      } finally {
        await keyService.stop();
      }
    } finally {
      await client.query(`ALTER SYSTEM RESET ALL`);
      await client.end();
      await engines.stop();
    }
  },
};

/** The slowest execution of each statement in the sources, slowest first. */
async function byPlace(executed: readonly ExecutedStatement[]) {
  const rows: { row: Row; plan: unknown }[] = [];
  const missing: string[] = [];
  for (const { place, isTextOf } of await statementsInSources()) {
    const own = executed.filter(({ text }) => isTextOf(text)).toSorted((a, b) => b.ms - a.ms);
    const [slowest] = own;
    if (slowest === undefined) missing.push(place);
    else {
      const { ms, pages, plan } = slowest;
      rows.push({
        row: {
          statement: place,
          'max ms': round(ms),
          goal: ms <= GOAL_MS ? 'met' : 'MISSED',
          pages,
          times: own.length,
        },
        plan,
      });
    }
  }
  rows.sort((a, b) => Number(b.row['max ms']) - Number(a.row['max ms']));
  return { rows, missing };
}
