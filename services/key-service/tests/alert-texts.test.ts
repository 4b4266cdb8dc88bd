import { expect, test } from 'vitest';
import { describeContent } from '../src/alerts/deliver/describe-content.ts';
import type { ConditionOf } from '../src/alerts/rules/condition-schema.ts';
import type { NotifiedAlert } from '../src/alerts/states/notification-content.ts';

test.each([
  [{}, '7.25, above 6.5 or below 2'],
  [{ unit: null, decimals: null }, '7.25, above 6.5 or below 2'],
  [{ unit: '°C', decimals: 1 }, '7.3 °C, above 6.5 °C or below 2 °C'],
  [{ unit: '% RH', decimals: null }, '7.25% RH, above 6.5% RH or below 2% RH'],
  [{ unit: null, decimals: 3 }, '7.250, above 6.5 or below 2'],
])('a value is shown with the settings of its keg: %j', (settings, text) => {
  const condition: ConditionOf<'keg_value'> = {
    ...{ kind: 'keg_value', rack: null, rackPrefix: null, keg: 'temperature' },
    ...{ above: 6.5, below: 2, forSeconds: 0 },
  };
  const since = '2026-11-23T04:01:12.118Z';
  const alert: NotifiedAlert = {
    ...{ id: '2', state: 'firing', subject: { kind: 'rack', id: 'r', name: 'r' } },
    ...{ since, firedAt: since, resolvedAt: null, resolvedBecause: null },
    details: { keg: 'temperature', value: 7.25, ...settings },
  };
  const rule = { id: '1', name: 'too warm', condition };
  const { lines } = describeContent({ type: 'alert.firing', cellar: 'demo', rule, alerts: [alert] });
  expect(lines).toEqual([`r: temperature is ${text} since 2026-11-23 04:01:12 UTC`]);
});
