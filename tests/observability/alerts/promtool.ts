import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AlertCase } from './alert-case.ts';
import { RULES_FILE } from './alert-rules.ts';
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

/** Plays the series of a case against the rule, and holds what fires against what should. */
export async function testRule(
  program: string,
  rule: AlertRule,
  { series, expect }: AlertCase,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-promtool-'));
  const file = join(directory, 'test.yaml');
  const test = {
    rule_files: [RULES_FILE],
    evaluation_interval: '15s',
    tests: [
      {
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
      },
    ],
  };
  try {
    // JSON is YAML.
    await writeFile(file, JSON.stringify(test));
    await promtool(program, 'test', 'rules', file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
