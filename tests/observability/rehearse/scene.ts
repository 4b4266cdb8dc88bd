import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct, until } from '@cellarman/local-stack';
import type { Product, RunFile, ScratchDirectory } from '@cellarman/local-stack';
import { RULES_FILE } from '../alerts/alert-rules.ts';
import { startCanary } from '../canary-process.ts';
import { writeCertificate } from '../certificate-files.ts';
import { findPrometheus } from '../prometheus/find-prometheus.ts';
import { startPrometheus } from '../prometheus/start-prometheus.ts';
import type { RunningPrometheus } from '../prometheus/start-prometheus.ts';
import { shortenedRules } from './shorten-rules.ts';
import { startTraffic } from './traffic.ts';

/** The product as it runs, with devices that post, a canary, and a Prometheus that watches. */
export interface Scene {
  product: Product;
  run: RunFile;
  prometheus: RunningPrometheus;
  /** The last line of a service's log that holds the text; an empty text when there is none. */
  lastLogLine(name: string, text: string): Promise<string>;
  /** Gives the canary a certificate that ends in this number of days. */
  certify(days: number): Promise<void>;
  /** To be undone after the drill, whether it succeeded or not. */
  undo: (() => unknown)[];
  stop(): Promise<void>;
}

const WELL_WITHIN_MS = 2 * 60_000;

const ENVIRONMENT = {
  // A minute of bad rows is enough to see that the sink stops.
  sink: { MAX_BAD_ROWS_IN_A_ROW: '100' },
  // The date of last use comes once a minute otherwise. A rehearsal cannot open tens of thousands of connections.
  ingest: { LAST_USED_INTERVAL_MS: '1000', MAX_CONNECTIONS: '600' },
};

export async function startScene({ path: directory, watch }: ScratchDirectory): Promise<Scene> {
  const { prometheus: found, reason } = await findPrometheus();
  if (found === undefined) throw new Error(reason);
  const dataDir = join(directory, 'product');
  const product = await startProduct({ dataDir, ports: 'free', ingestReplicas: 2, env: ENVIRONMENT });
  const run = product.run();
  const canary = await startCanary(
    {
      INGEST_URL: run.ingestUrl,
      QUERY_URL: run.queryUrl,
      CELLAR: run.demo.cellar,
      API_KEY: run.demo.apiKey,
      INTERVAL_MS: '1000',
      ROUND_TRIP_DEADLINE_MS: '5000',
      ...(await writeCertificate(directory, 30)),
    },
    watch,
  );
  const rulesFile = join(directory, 'rules.json');
  await writeFile(rulesFile, await shortenedRules(RULES_FILE));
  const prometheus = await startPrometheus({
    program: found.server,
    directory: join(directory, 'prometheus'),
    targets: {
      'cellarman-ingest': run.ingestUrls,
      'cellarman-key-service': [run.keyServiceInternalUrl],
      'cellarman-sink': [run.sinkUrl],
      'cellarman-query': [run.queryOperationsUrl],
      'cellarman-canary': [canary.url],
    },
    rulesFile,
    scrapeInterval: '1s',
    onSpawn: watch,
  });
  const traffic = startTraffic(run, 4);
  await allIsWell(prometheus, run.ingestUrls.length);
  return {
    product,
    run,
    prometheus,
    undo: [],
    async certify(days) {
      await writeCertificate(directory, days);
    },
    async lastLogLine(name, text) {
      const words =
        name === 'canary' ? canary.log() : await readFile(join(dataDir, 'logs', `${name}.log`), 'utf8');
      return words.split('\n').findLast((line) => line.includes(text)) ?? '';
    },
    async stop() {
      await traffic.stop();
      await prometheus.stop();
      await canary.stop();
      await product.stop();
    },
  };
}

/** Devices have readings acknowledged by every replica, which then knows their key, and the canary reads its own back. */
async function allIsWell(prometheus: RunningPrometheus, replicas: number): Promise<void> {
  const isWell = async (): Promise<boolean> => {
    const served = await prometheus.query(
      'rate(cellarman_ingest_responses_total{outcome="success"}[10s]) > 0',
    );
    const readBack = await prometheus.query(
      'rate(cellarman_canary_round_trips_total{outcome="success"}[10s]) > 0',
    );
    return served.length === replicas && readBack.length === 1;
  };
  await until('all is well', isWell, { everyMs: 500, deadlineMs: WELL_WITHIN_MS });
}
