import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCellar } from './made.ts';
import { join } from './people.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** Without readings it is not evaluated, so that its alerts stay. */
const RULE = {
  name: 'silent',
  condition: {
    ...{ kind: 'rack_silent', rack: null, rackPrefix: null },
    ...{ silentForSeconds: 60, forgetAfterSeconds: 86_400 },
  },
  destinations: [] as string[],
};
const WEBHOOK = { kind: 'webhook', name: 'on call', url: 'https://hooks.example.invalid/a-secret-path' };

let service: ServiceUnderTest;
let granted: string;
let foreign: string;
/** By cellar. */
const made = new Map<string, { rule: string; destination: string }>();
beforeAll(async () => {
  service = await startServiceUnderTest();
  granted = (await makeCellar(service)).name;
  foreign = (await makeCellar(service)).name;
  for (const cellar of [granted, foreign]) {
    const create = async <Body>(what: string, body: object) =>
      (await service.admin.call<Body>('POST', `/api/v1/cellars/${cellar}/${what}`, body)).body;
    const { id: rule } = await create<{ id: string }>('alert-rules', RULE);
    const { destination } = await create<{ destination: { id: string } }>('alert-destinations', WEBHOOK);
    made.set(cellar, { rule, destination: destination.id });
    await service.pool.query(
      `INSERT INTO alerts (rule_id, cellar, state, subject, label, since, fired_at, details)
       VALUES ($1, $2, 'firing', 'k', 'k', now(), now(), '{}')`,
      [rule, cellar],
    );
  }
});
afterAll(() => service.stop());

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

async function tokenOf(access: object): Promise<Call> {
  const { body } = await service.admin.call<{ secret: string }>('POST', '/api/v1/tokens', {
    ...{ name: 'alerts', ...access },
  });
  const headers = { authorization: `Bearer ${body.secret}` };
  return async (method, path, given) => service.anonymous.call(method, path, given, headers);
}
const memberOf = async (): Promise<Call> => {
  const { client } = await join(service, { role: 'member', cellars: [granted] });
  return async (method, path, body) => client.call(method, path, body);
};

function changesOf(cellar: string): [method: string, path: string, body?: object][] {
  const { rule = '', destination = '' } = made.get(cellar) ?? {};
  const path = (what: string) => `/api/v1/cellars/${cellar}/${what}`;
  return [
    ['POST', path('alert-rules'), RULE],
    ['PUT', path(`alert-rules/${rule}`), { ...RULE, name: 'changed' }],
    ['POST', path(`alert-rules/${rule}/mute`), { seconds: 3_600 }],
    ['POST', path('alert-destinations'), WEBHOOK],
    ['PATCH', path(`alert-destinations/${destination}`), { name: 'changed' }],
    ['POST', path(`alert-destinations/${destination}/test`)],
    ['DELETE', path(`alert-destinations/${destination}`)],
    ['DELETE', path(`alert-rules/${rule}`)],
  ];
}

test.each<[who: string, call: () => Promise<Call>]>([
  ['a member', memberOf],
  ['the service token of a member', () => tokenOf({ role: 'member', cellars: [granted] })],
])('%s sees the alerts of granted cellars and changes none', async (_who, create) => {
  const call = await create();
  const path = `/api/v1/cellars/${granted}`;
  expect(await call('GET', `${path}/alert-rules`)).toMatchObject({
    ...{ status: 200, body: { rules: [{ name: 'silent', firing: 1 }] } },
  });
  expect(await call('GET', `${path}/alerts`)).toMatchObject({ status: 200, body: { alerts: [{}] } });
  const destinations = await call('GET', `${path}/alert-destinations`);
  expect(destinations).toMatchObject({
    ...{
      status: 200,
      body: { destinations: [{ name: 'on call', target: 'https://hooks.example.invalid' }] },
    },
  });
  expect(JSON.stringify(destinations)).not.toContain('a-secret-path');
  for (const what of ['alert-rules', 'alert-destinations', 'alerts']) {
    expect(await call('GET', `/api/v1/cellars/${foreign}/${what}`)).toMatchObject({ status: 404 });
  }
  expect(await call('GET', '/api/v1/alerts/summary')).toMatchObject({
    ...{ status: 200, body: { firing: 1, cellars: [{ cellar: granted, firing: 1 }] } },
  });
  for (const cellar of [granted, foreign]) {
    for (const [method, at, body] of changesOf(cellar)) {
      expect([method, at, (await call(method, at, body)).status]).toEqual([method, at, 403]);
    }
  }
});

test('the service token of an owner changes everything, and is named in the audit log', async () => {
  const call = await tokenOf({ role: 'owner' });
  expect(await call('GET', '/api/v1/alerts/summary')).toMatchObject({ status: 200, body: { firing: 2 } });
  for (const [method, at, body] of changesOf(foreign)) {
    const { status } = await call(method, at, body);
    expect([method, at, status >= 200 && status < 300]).toEqual([method, at, true]);
  }
  const audit = await service.admin.call<{ entries: { action: string; actor: string }[] }>(
    ...(['GET', `/api/v1/cellars/${foreign}/audit?limit=8`] as const),
  );
  expect(new Set(audit.body.entries.map(({ actor }) => actor)).size).toBe(1);
  expect(audit.body.entries.map(({ action }) => action).toReversed()).toEqual([
    'alert_rule.created',
    'alert_rule.changed',
    'alert_rule.muted',
    'alert_destination.created',
    'alert_destination.changed',
    'alert_destination.tested',
    'alert_destination.deleted',
    'alert_rule.deleted',
  ]);
});
