import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..', '..');
export const RULES_FILE = join(ROOT, 'deploy', 'helm', 'cellarman', 'files', 'alerts.yaml');
export const RUNBOOKS = join(ROOT, 'docs', 'runbooks');

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export async function alertRules(): Promise<AlertRule[]> {
  const { groups } = parse(await readFile(RULES_FILE, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
