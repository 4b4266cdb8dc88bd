import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { clickhouseLogin, until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { compareBeside, GOOD_CLIENT } from '../beside/good-client.ts';
import { cpuMicroseconds, residentMiB } from '../cpu-time.ts';
import { ingestOf, withProduct } from '../harness/product-harness.ts';
import { signIn } from '../keys/owner.ts';
import { openTabs } from './tabs.ts';
import { median, round } from '../median.ts';

const TABS = 100;
const CONNECTIONS = 1_000;
/** The most of one API key, in query and in key-service. */
const STREAMS_OF_ONE = 25;
const EVENT_READINGS = 50;

export const live: Bench = {
  what: `${TABS} open Live pages: CPU of query and key-service, and a good client beside them; ${CONNECTIONS.toLocaleString('en')} streams and a slow one`,
  run: (options) =>
    withProduct(async (run) => {
      const ingest = ingestOf(run);
      const { cellar } = ingest;
      const owner = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
      const apiKeys: string[] = [];
      for (let streams = 0; streams < CONNECTIONS; streams += STREAMS_OF_ONE)
        apiKeys.push((await owner.createKey(cellar, { scopes: ['read'] })).secret);
      const of = { keyServiceUrl: run.keyServiceUrl, cellar, streamsOfOne: STREAMS_OF_ONE };

      const idle = await cpuShares(run, () => delay(options.seconds * 1_000));
      const { cells, cpu, troubles } = await compareBeside(ingest, options, async (measure) => {
        const tabs = await openTabs({
          ...{ ...of, apiKeys: apiKeys.slice(0, TABS / STREAMS_OF_ONE), limit: EVENT_READINGS },
          cookie: owner.cookie,
        });
        const shares = await cpuShares(run, measure);
        tabs.close();
        return { shares, failed: tabs.failed(), megabytes: tabs.megabytes() };
      });
      const middle = (read: (trouble: (typeof troubles)[number]) => number) => median(troubles.map(read));
      const together = middle(({ shares }) => shares.query + shares.keyService);
      const tabRow: Row = {
        tabs: TABS,
        'query % of a core': round(100 * middle(({ shares }) => shares.query)),
        'key-service %': round(100 * middle(({ shares }) => shares.keyService)),
        'both without tabs %': round(100 * (idle.query + idle.keyService)),
        'MB received': round(middle(({ megabytes }) => megabytes)),
        failed: troubles.reduce((sum, { failed }) => sum + failed, 0),
        ...cells,
        // Of the same readings: what the tabs cost ingest itself, beside the CPU that they take from it.
        ...cpu,
      };

      const many = await openTabs({ ...of, apiKeys, limit: 0 });
      const open = await openStreams(run);
      const [query, keyService] = await Promise.all(pidsOf(run).map(residentMiB));
      many.close();
      await until('the streams are closed', async () => (await openStreams(run)) === 0, {
        deadlineMs: 60_000,
      });
      const slowSeconds = await timeSlowStream(run, apiKeys[0] ?? '');
      return {
        tables: [
          {
            note: `${GOOD_CLIENT}, alone and beside ${TABS} Live pages of the same cellar through key-service: a stream of up to ${EVENT_READINGS} readings per event, and the other requests of the page.`,
            rows: [tabRow],
          },
          {
            note: 'Streams that only count, with the default limits. Then one that stops reading, while its events have 150 kB.',
            rows: [
              {
                requested: CONNECTIONS,
                open,
                'rejected with 503': many.statuses[503] ?? 0,
                closed: many.statuses[0] ?? 0,
                'query MiB': round(query ?? NaN),
                'key-service MiB': round(keyService ?? NaN),
                'slow one dropped after s': round(slowSeconds),
              },
            ],
          },
        ],
        figures: {
          '% of a core for 100 live pages': 100 * together,
          'ingest CPU × beside 100 live pages': Number(cpu['ingest CPU ratio']),
        },
      };
    }),
};

const pidsOf = ({ processes }: RunFile): number[] =>
  ['query', 'key-service'].map((name) => processes[name]?.[0] ?? 0);

/** The share of a core that query and key-service use during `work`. */
async function cpuShares(run: RunFile, work: () => Promise<unknown>) {
  const used = () => Promise.all(pidsOf(run).map(cpuMicroseconds));
  const [before, begun] = [await used(), performance.now()];
  await work();
  const [after, elapsedMs] = [await used(), performance.now() - begun];
  const [query = NaN, keyService = NaN] = after.map(
    (total, at) => (total - (before[at] ?? 0)) / 1_000 / elapsedMs,
  );
  return { query, keyService };
}

async function openStreams({ queryOperationsUrl }: RunFile): Promise<number> {
  const metrics = await (await fetch(`${queryOperationsUrl}/metrics`)).text();
  return Number(/^cellarman_query_live_streams(?:{[^}]*})? (\d+)/m.exec(metrics)?.[1]);
}

/** Returns the seconds from the request of a stream that is never read until it is dropped. */
async function timeSlowStream(run: RunFile, apiKey: string): Promise<number> {
  const clickhouse = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
  const { cellar } = run.demo;
  const { hostname, port } = new URL(run.keyServiceUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const begun = performance.now();
  const path = `/api/v1/query/cellars/${cellar}/live?limit=100`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-API-Key: ${apiKey}\r\n\r\n`);
  socket.pause();
  try {
    await until('the stream is open', async () => (await openStreams(run)) === 1, { deadlineMs: 30_000 });
    for (let round = 0; (await openStreams(run)) > 0 && round < 2_000; round++) {
      await clickhouse.command({
        query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
          SELECT {cellar: String}, concat(toString({round: UInt32}), repeat('x', 250)), repeat('ä', 256), number, now64(9), now64(3), 'bench' FROM numbers(100)`,
        query_params: { cellar, round },
      });
    }
    return (performance.now() - begun) / 1_000;
  } finally {
    socket.destroy();
    await clickhouse.close();
  }
}
