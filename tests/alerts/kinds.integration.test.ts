import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { REJECTIONS_PATH } from '@cellarman/contracts';
import { eventually, secondsAgo, startAlertHarness } from './alert-harness.ts';
import type { AlertHarness } from './alert-harness.ts';

let harness: AlertHarness;
let cellar: string;
beforeAll(async () => {
  harness = await startAlertHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  cellar = await harness.createCellar();
});

const values = (rack: string, ...ages: [seconds: number, value: number][]) =>
  harness.store(
    ages.map(([seconds, value]) => ({
      ...{ cellar, rack, keg: 'temperature', value },
      ...{ timestamp: secondsAgo(seconds), received_at: secondsAgo(seconds) },
    })),
  );
const TEMPERATURE = {
  ...{ kind: 'keg_value', rack: null, rackPrefix: null, keg: 'temperature' },
  ...{ above: 20, below: null, forSeconds: 60 },
};
const inState = async (state: string) =>
  (await harness.alerts(cellar)).filter((alert) => alert.state === state).map(({ subject }) => subject.name);

test('a value outside of its limits fires after its time, counted by the timestamps', async () => {
  await values('long', [200, 12], [90, 25], [5, 26]);
  await values('short', [90, 12], [30, 25], [5, 26]);
  await values('good again', [90, 25], [5, 12]);
  await values('exact', [90, 20]);
  await harness.createRule(cellar, TEMPERATURE);
  await eventually(async () => {
    expect(await inState('firing')).toEqual(['long']);
    expect(await inState('pending')).toEqual(['short']);
  });
  const [alert] = await harness.alerts(cellar);
  expect(alert).toMatchObject({ details: { keg: 'temperature', value: 26 } });
  expect(Math.abs(Date.parse(alert?.since ?? '') - Date.parse(secondsAgo(90)))).toBeLessThan(20_000);

  await values('long', [0, 19]);
  await eventually(async () => expect(await inState('firing')).toEqual([]));
});

test('the unit and decimals of the keg are in the notification', async () => {
  const settings = { unit: '°C', decimals: 1 };
  await harness.manage('PUT', `/api/v1/cellars/${cellar}/kegs?keg=temperature`, settings);
  const { id } = await harness.createWebhook(cellar);
  await values('r', [90, 25.25], [5, 26.04]);
  await harness.createRule(cellar, { ...TEMPERATURE, above: 20.25 }, [id]);
  await eventually(async () =>
    expect(harness.receiver.received.find(({ path }) => path === `/${cellar}`)?.text).toContain(
      'r: temperature is 26.0 °C, above 20.25 °C since ',
    ),
  );
  expect(await harness.alerts(cellar)).toMatchObject([{ details: { value: 26.04, ...settings } }]);
});

test('a dip within the limits between two readings starts the time again', async () => {
  await values('r', [300, 25], [40, 12], [30, 25]);
  await harness.createRule(cellar, TEMPERATURE);
  await eventually(async () => expect(await inState('pending')).toEqual(['r']));
  const evaluated = (await harness.rules(cellar))[0]?.evaluatedAt;
  await eventually(async () => expect((await harness.rules(cellar))[0]?.evaluatedAt).not.toBe(evaluated));
  expect(await inState('firing')).toEqual([]);
});

test('the last value counts as long as no other one comes', async () => {
  await values('r', [7_200, 5]);
  await harness.createRule(cellar, { ...TEMPERATURE, above: null, below: 8, forSeconds: 3_600 });
  await eventually(async () => expect(await inState('firing')).toEqual(['r']));
});

test('a share of rejected readings fires for the cellar', async () => {
  const key = await harness.createKey(cellar);
  const minutesAgo = (minutes: number) => secondsAgo(minutes * 60);
  await harness.store(
    Array.from({ length: 90 }, (_, i) => ({
      ...{ cellar, rack: 'r', value: i, timestamp: minutesAgo(3), received_at: minutesAgo(3) },
    })),
  );
  const rejected = { keyId: key.id, code: 'invalid_reading', field: 'value', rack: null, agoMs: 180_000 };
  await harness.internal('POST', REJECTIONS_PATH, {
    ...{ reporter: randomUUID(), sequence: 1, refusals: [{ ...rejected, count: 10 }] },
  });
  const share = { kind: 'rejected_share', windowSeconds: 600, minRejected: 10 };
  await harness.createRule(cellar, { ...share, percent: 9.9 });
  await harness.createRule(cellar, { ...share, percent: 10 });
  await harness.createRule(cellar, { ...share, percent: 1, minRejected: 11 });
  await eventually(async () =>
    expect(await harness.alerts(cellar)).toMatchObject([
      {
        state: 'firing',
        subject: { kind: 'cellar', id: '', name: cellar },
        details: { percent: 10, rejected: 10, received: 90 },
      },
    ]),
  );
});

test('a key in use that expires soon fires, until it is revoked', async () => {
  const soon = { name: 'soon', expiresAt: secondsAgo(-3 * 86_400) };
  const used = await harness.createKey(cellar, soon);
  await harness.createKey(cellar, { ...soon, name: 'unused' });
  const later = await harness.createKey(cellar, { name: 'later', expiresAt: secondsAgo(-30 * 86_400) });
  await harness.internal('POST', '/internal/v1/keys/last-used', {
    uses: [used, later].map(({ id }) => ({ id, at: secondsAgo(0) })),
  });
  await harness.createRule(cellar, { kind: 'key_expires', withinDays: 7 });
  await eventually(async () =>
    expect(await harness.alerts(cellar)).toMatchObject([
      {
        state: 'firing',
        subject: { kind: 'key', id: used.id, name: 'soon' },
        details: { expiresAt: soon.expiresAt },
      },
    ]),
  );
  await harness.manage('POST', `/api/v1/cellars/${cellar}/keys/${used.id}/revoke`);
  await eventually(async () => expect(await harness.alerts(cellar)).toEqual([]));
});
