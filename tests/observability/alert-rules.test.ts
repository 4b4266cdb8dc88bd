/* eslint-disable no-console -- why tests were left out must be seen */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALERT_CASES } from './alerts/alert-cases.ts';
import { alertRules, RULES_FILE, RUNBOOKS } from './alerts/alert-rules.ts';
import { promtool, testRules } from './alerts/promtool.ts';
import { findPrometheus } from './prometheus/find-prometheus.ts';

const rules = await alertRules();
const alerts = rules.map(({ alert }) => alert).sort();
const { prometheus, reason } = await findPrometheus();
if (prometheus === undefined) console.log(`The tests of the alert rules are left out: ${reason}`);

test('a Prometheus is there, or it is said why not; CI has one', () => {
  expect(prometheus === undefined).toBe(reason !== '');
  if (process.env['CI'] !== undefined) expect(reason).toBe('');
});

describe.runIf(prometheus !== undefined)('the alert rules', () => {
  if (prometheus === undefined) return;

  test('are understood by Prometheus', async () => {
    expect(await promtool(prometheus.promtool, 'check', 'rules', RULES_FILE)).toContain(
      `${rules.length} rules found`,
    );
  });

  test('fire in their cases, and in no other', async () => {
    await testRules(prometheus.promtool, rules, ALERT_CASES);
  });
});

test('each alert has a case in which it fires', () => {
  const firing = ALERT_CASES.filter(({ expect: times }) => times.some(({ fires }) => fires.length > 0));
  expect([...new Set(firing.map(({ alert }) => alert))].sort()).toEqual(alerts);
  expect(ALERT_CASES.filter(({ alert }) => !alerts.includes(alert))).toEqual([]);
});

test('each alert links to its runbook, and each runbook belongs to an alert', async () => {
  expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
    rules.map(({ alert }) => `docs/runbooks/${alert}.md`),
  );
  const runbooks = (await readdir(RUNBOOKS)).filter((name) => name !== 'README.md');
  expect(runbooks.sort()).toEqual(alerts.map((alert) => `${alert}.md`));
});

test.each(alerts)(
  'the runbook of %s says what it means, what to do, and how that was tried',
  async (alert) => {
    const runbook = await readFile(join(RUNBOOKS, `${alert}.md`), 'utf8');
    expect(runbook.startsWith(`# ${alert}\n`)).toBe(true);
    const parts = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(parts).toEqual(['Meaning', 'Diagnosis', 'Mitigation', 'Rehearsal']);
  },
);
