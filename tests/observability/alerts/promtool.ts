import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AlertCase } from './alert-case.ts';
import type { AlertRule } from './alert-rules.ts';

const run = promisify(execFile);

/** Throws an error with the output of promtool if it reports a problem. */
export async function promtool(program: string, ...args: string[]): Promise<string> {
  try {
    return (await run(program, args)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`promtool ${args.slice(0, 2).join(' ')}: ${stdout ?? ''}${stderr ?? ''}`, {
      cause: error,
    });
  }
}

/** Evaluates each rule on the series of its cases, in one run. Throws an error that names each alert that should fire and does not, or the reverse. */
export async function testRules(
  program: string,
  rules: readonly AlertRule[],
  cases: readonly AlertCase[],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-promtool-'));
  try {
    const files = await Promise.all(rules.map((rule) => writeTest(directory, rule, cases)));
    await promtool(program, 'test', 'rules', ...files);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A rule is alone in its file: the others would be evaluated too. */
async function writeTest(directory: string, rule: AlertRule, cases: readonly AlertCase[]): Promise<string> {
  const [rules, file] = [`${rule.alert}.rules.yaml`, join(directory, `${rule.alert}.yaml`)];
  const test = {
    rule_files: [rules],
    evaluation_interval: '15s',
    tests: cases
      .filter(({ alert }) => alert === rule.alert)
      .map(({ when, series, expect }) => ({
        name: when,
        interval: '15s',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: expect.map(({ at, fires }) => ({
          eval_time: at,
          alertname: rule.alert,
          exp_alerts: fires.map(({ summary, ...labels }) => ({
            exp_labels: { ...rule.labels, ...labels },
            exp_annotations: { ...rule.annotations, summary },
          })),
        })),
      })),
  };
  // JSON is YAML.
  await writeFile(join(directory, rules), JSON.stringify({ groups: [{ name: 'rule', rules: [rule] }] }));
  await writeFile(file, JSON.stringify(test));
  return file;
}
