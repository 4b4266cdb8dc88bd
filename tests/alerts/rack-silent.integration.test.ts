import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually, secondsAgo, SILENT, startAlertHarness } from './alert-harness.ts';
import type { AlertHarness } from './alert-harness.ts';

let harness: AlertHarness;
let cellar: string;
beforeAll(async () => {
  harness = await startAlertHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  cellar = await harness.createCellar();
  harness.receiver.received.length = 0;
});

const seen = (rack: string, seconds: number) =>
  harness.store([{ cellar, rack, timestamp: secondsAgo(seconds), received_at: secondsAgo(seconds) }]);
const alertsReceived = () =>
  harness.receiver.received.filter(({ path }) => path === `/${cellar}`).flatMap(({ alerts }) => alerts);

test('a silent rack fires once, signed, and is resolved when it sends again', async () => {
  await seen('boiler-7', 120);
  await seen('boiler-8', 0);
  const { id, secret } = await harness.createWebhook(cellar);
  harness.receiver.secret = secret;
  const rule = await harness.createRule(cellar, SILENT, [id]);

  await eventually(async () => expect(alertsReceived()).toEqual(['boiler-7 firing']));
  expect(await harness.alerts(cellar)).toMatchObject([
    { state: 'firing', subject: { kind: 'rack', id: 'boiler-7', name: 'boiler-7' } },
  ]);
  expect(harness.receiver.received[0]).toMatchObject({
    type: 'alert.firing',
    body: { data: { cellar, rule: { id: rule.id, name: 'a rule' } } },
  });

  expect(harness.receiver.received[0]?.text).toMatch(
    /^Firing: a rule \(boiler-7, cellar .*\)\nboiler-7: no reading received since /,
  );

  await seen('boiler-7', 0);
  await eventually(async () => expect(alertsReceived()).toEqual(['boiler-7 firing', 'boiler-7 resolved']));
  harness.receiver.secret = undefined;
  expect(await harness.alerts(cellar)).toEqual([]);
  expect(await harness.alerts(cellar, 'fired')).toMatchObject([
    { state: 'resolved', resolvedBecause: 'recovered' },
  ]);
  expect(await harness.destinations(cellar)).toMatchObject([{ waiting: 0, latest: { state: 'delivered' } }]);
});

test('racks that fire together share a notification', async () => {
  await Promise.all(['a', 'b', 'c'].map((rack) => seen(rack, 300)));
  const { id } = await harness.createWebhook(cellar);
  await harness.createRule(cellar, SILENT, [id]);
  await eventually(async () => expect(alertsReceived()).toHaveLength(3));
  expect(harness.receiver.received.filter(({ path }) => path === `/${cellar}`)).toMatchObject([
    { alerts: ['a firing', 'b firing', 'c firing'] },
  ]);
});

test('a rule is about its racks, and not about those that were removed long ago', async () => {
  await Promise.all([seen('row-1', 300), seen('other-1', 300), seen('row-2', 2 * 86_400)]);
  await harness.createRule(cellar, { ...SILENT, rackPrefix: 'row-' });
  await eventually(async () => expect(await harness.alerts(cellar)).toMatchObject([{ state: 'firing' }]));
  expect((await harness.alerts(cellar)).map(({ subject }) => subject.name)).toEqual(['row-1']);
  const [rule] = await harness.rules(cellar);
  expect(rule).toMatchObject({ firing: 1, pending: 0, problem: null });
});

test.each([
  ['deleted', 'rule_deleted', (id: string) => harness.manage('DELETE', `${path()}/${id}`)],
  [
    'disabled',
    'rule_disabled',
    (id: string) => harness.manage('PUT', `${path()}/${id}`, { ...body(), isEnabled: false }),
  ],
  [
    'about other racks now',
    'recovered',
    (id: string) =>
      harness.manage('PUT', `${path()}/${id}`, { ...body(), condition: { ...SILENT, rack: 'x' } }),
  ],
])('an alert is resolved when its rule is %s', async (_what, because, change) => {
  await seen('r', 300);
  const { id } = await harness.createRule(cellar, SILENT);
  await eventually(async () => expect(await harness.alerts(cellar)).toMatchObject([{ state: 'firing' }]));
  expect((await change(id)).status).toBeLessThan(300);
  await eventually(async () =>
    expect(await harness.alerts(cellar, 'fired')).toMatchObject([
      { state: 'resolved', resolvedBecause: because },
    ]),
  );
});
const path = () => `/api/v1/cellars/${cellar}/alert-rules`;
const body = () => ({ name: 'a rule', condition: SILENT, destinations: [] });

test('a muted rule sends nothing about what fires, until the mute ends', async () => {
  await seen('r', 300);
  const { id: webhook } = await harness.createWebhook(cellar);
  const { id } = await harness.createRule(cellar, { ...SILENT, rack: 'not yet' }, [webhook]);
  expect(await harness.manage('POST', `${path()}/${id}/mute`, { seconds: 3_600 })).toMatchObject({
    status: 200,
    body: { mutedUntil: expect.any(String) as string },
  });
  await harness.manage('PUT', `${path()}/${id}`, { ...body(), destinations: [webhook] });
  await eventually(async () => expect(await harness.alerts(cellar)).toMatchObject([{ state: 'firing' }]));
  const [{ waiting, latest } = { waiting: 1, latest: null }] = await harness.destinations(cellar);
  expect({ waiting, latest }).toEqual({ waiting: 0, latest: null });
  await harness.manage('POST', `${path()}/${id}/mute`, { seconds: null });
  await eventually(async () => expect(alertsReceived()).toEqual(['r firing']));
});
