import { SINK_HEALTH_PATH } from '@cellarman/contracts';
import type { SinkHealth } from '@cellarman/contracts';
import { expect, vi } from 'vitest';
import { sinkHealth } from '../../services/key-service/tests/pipeline/health-reports.ts';
import { startHarness } from '../query/harness.ts';
import type { Harness } from '../query/harness.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

export interface RuleView {
  id: string;
  name: string;
  firing: number;
  pending: number;
  problem: string | null;
  evaluatedAt: string | null;
  mutedUntil: string | null;
}

export interface AlertView {
  id: string;
  subject: { kind: string; id: string; name: string };
  state: string;
  since: string;
  resolvedBecause: string | null;
  details: Record<string, unknown>;
}

export interface DestinationView {
  id: string;
  target: string;
  waiting: number;
  latest: { state: string; attempts: number; error: string | null } | null;
}

/** Query and key-service that evaluate alert rules every second, and a receiver of webhooks. */
export interface AlertHarness extends Harness {
  receiver: Receiver;
  /** What a sink reports from now on. Undefined: it is stopped, and reports nothing. */
  sinkReports(change: Partial<SinkHealth> | undefined): Promise<void>;
  createCellar(): Promise<string>;
  createWebhook(cellar: string, url?: string): Promise<{ id: string; secret: string }>;
  createRule(cellar: string, condition: object, destinations?: string[]): Promise<RuleView>;
  rules(cellar: string): Promise<RuleView[]>;
  alerts(cellar: string, state?: 'open' | 'fired'): Promise<AlertView[]>;
  destinations(cellar: string): Promise<DestinationView[]>;
}

export const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
export const SILENT = {
  ...{ kind: 'rack_silent', rack: null, rackPrefix: null },
  ...{ silentForSeconds: 60, forgetAfterSeconds: 86_400 },
};

/** Polls until it holds. Longer than two evaluations and a delivery. */
export const eventually = <Result>(check: () => Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 20_000, interval: 100 });

let cellars = 0;

export async function startAlertHarness(env: Record<string, string> = {}): Promise<AlertHarness> {
  const receiver = await startReceiver();
  const harness = await startHarness({}, undefined, {
    ALERTS_INTERVAL_SECONDS: '1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    ...env,
  });

  async function create<Body>(path: string, body: object): Promise<Body> {
    const answer = await harness.manage<Body>('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  }
  const list = async <Body>(path: string): Promise<Body> => (await harness.manage<Body>('GET', path)).body;

  const sink = sinkHealth();
  let report: SinkHealth | undefined;
  const reportSink = async () => {
    if (report !== undefined) await harness.internal('POST', SINK_HEALTH_PATH, report);
  };
  const sinkReports = async (change: Partial<SinkHealth> | undefined) => {
    report = change && { ...sink, ...change };
    await reportSink();
  };
  await sinkReports({});
  const reporting = setInterval(() => void reportSink(), 1_000);

  return {
    ...harness,
    receiver,
    sinkReports,
    async createCellar() {
      cellars += 1;
      return (await create<{ name: string }>('/api/v1/cellars', { name: `alerts-${cellars}` })).name;
    },
    async createWebhook(cellar, url = `${receiver.url}/${cellar}`) {
      const { destination, secret } = await create<{ destination: { id: string }; secret: string }>(
        `/api/v1/cellars/${cellar}/alert-destinations`,
        { kind: 'webhook', name: 'on call', url },
      );
      return { id: destination.id, secret };
    },
    createRule: (cellar, condition, destinations = []) =>
      create(`/api/v1/cellars/${cellar}/alert-rules`, { name: 'a rule', condition, destinations }),
    rules: async (cellar) =>
      (await list<{ rules: RuleView[] }>(`/api/v1/cellars/${cellar}/alert-rules`)).rules,
    alerts: async (cellar, state = 'open') =>
      (await list<{ alerts: AlertView[] }>(`/api/v1/cellars/${cellar}/alerts?state=${state}`)).alerts,
    destinations: async (cellar) =>
      (await list<{ destinations: DestinationView[] }>(`/api/v1/cellars/${cellar}/alert-destinations`))
        .destinations,
    async stop() {
      clearInterval(reporting);
      await harness.stop();
      await receiver.stop();
    },
  };
}
