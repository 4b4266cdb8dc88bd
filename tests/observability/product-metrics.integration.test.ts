import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { signIn } from '../spec/client/owner.ts';
import { alertRules, RULES_FILE } from './alerts/alert-rules.ts';
import { startCanary } from './canary-process.ts';
import type { Canary } from './canary-process.ts';
import { writeCertificate } from './certificate-files.ts';
import { dashboardPanels } from './dashboard-panels.ts';
import { findPrometheus } from './prometheus/find-prometheus.ts';
import { startPrometheus } from './prometheus/start-prometheus.ts';
import type { RunningPrometheus } from './prometheus/start-prometheus.ts';

/* The dashboards and alerts on the metrics of the running product, by a real Prometheus. */

const PATIENCE = { timeout: 60_000, interval: 250 };
const OWN = /\b(?:cellarman|nodejs|process)_[a-z_]+/g;

const { prometheus: found } = await findPrometheus();
const rules = await alertRules();
const queries = (await dashboardPanels()).flatMap(({ dashboard, title, queries: all }) =>
  all.map(({ expr }) => ({ dashboard, title, expr })),
);

describe.runIf(found !== undefined)('Prometheus', () => {
  let prometheus: RunningPrometheus;
  let canary: Canary;
  let directory: string;

  beforeAll(async () => {
    if (found === undefined) return;
    const { ingestUrl, keyServiceInternalUrl, queryUrl, queryOperationsUrl, sinkUrl } = inject('product');
    directory = await mkdtemp(join(tmpdir(), 'cellarman-prometheus-'));
    const cellar = await (await signIn()).openCellar();
    const { secret } = await cellar.createKey({ scopes: ['ingest', 'read'] });
    canary = await startCanary({
      INGEST_URL: ingestUrl,
      QUERY_URL: queryUrl,
      CELLAR: cellar.name,
      API_KEY: secret,
      INTERVAL_MS: '100',
      ...(await writeCertificate(directory, 30)),
    });
    prometheus = await startPrometheus({
      program: found.server,
      directory,
      targets: {
        'cellarman-ingest': [ingestUrl],
        'cellarman-key-service': [keyServiceInternalUrl],
        'cellarman-sink': [sinkUrl],
        'cellarman-query': [queryOperationsUrl],
        'cellarman-canary': [canary.url],
      },
      rulesFile: RULES_FILE,
      scrapeInterval: '500ms',
    });
  });

  afterAll(async () => {
    await prometheus.stop();
    await canary.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('takes the metrics of every service', async () => {
    await vi.waitFor(async () => {
      const { activeTargets } = await prometheus.api<{
        activeTargets: { labels: { job: string }; health: string; lastError: string }[];
      }>('targets');
      const faults = activeTargets.filter(({ health }) => health !== 'up');
      expect(faults.map(({ labels, lastError }) => `${labels.job}: ${lastError}`)).toEqual([]);
    }, PATIENCE);
  });

  test.each(queries)('$dashboard, "$title" has data', async ({ expr }) => {
    const filled = expr.replaceAll('$namespace', 'local').replaceAll('$__rate_interval', '5s');
    await vi.waitFor(async () => expect(await prometheus.query(filled)).not.toEqual([]), PATIENCE);
  });

  test('has all metrics that the alerts look at', async () => {
    const named = new Set(rules.flatMap(({ expr }) => [...expr.matchAll(OWN)].map(([name]) => name)));
    expect(named.size).toBeGreaterThan(10);
    await vi.waitFor(
      async () =>
        expect(await prometheus.api<string[]>('label/__name__/values')).toEqual(
          expect.arrayContaining([...named]),
        ),
      PATIENCE,
    );
  });

  test('evaluates every alert, and none fires while all is well', async () => {
    await vi.waitFor(async () => {
      const { groups } = await prometheus.api<{ groups: { rules: { name: string; health: string }[] }[] }>(
        'rules',
      );
      const states = groups.flatMap((group) => group.rules.map(({ name, health }) => ({ name, health })));
      expect(states).toEqual(rules.map(({ alert }) => ({ name: alert, health: 'ok' })));
    }, PATIENCE);
    const firing = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
    expect(firing.map(({ labels }) => labels['alertname'])).toEqual([]);
  });
});
