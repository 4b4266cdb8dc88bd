import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { AlertRule } from '../alerts/alert-rules.ts';

const FOR_SECONDS = 15;
/** Windows of rates and increases, shortened so that the alerts of a drill resolve before it ends. */
const WINDOW = { '[2m]': '[1m]', '[5m]': '[1m]', '[10m]': '[1m]' };

/** What is shorter in a rehearsal, for its transcripts. Thresholds are the real ones. */
export const SHORTENED = `\`for\` is ${FOR_SECONDS} s and windows are 1 min, so that a rehearsal ends soon; all thresholds are the real ones`;

/** The rules with less patience, as JSON. */
export async function shortenedRules(file: string): Promise<string> {
  const rules = parse(await readFile(file, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  for (const rule of rules.groups.flatMap((group) => group.rules)) {
    if (rule.for !== undefined) rule.for = `${FOR_SECONDS}s`;
    for (const [long, short] of Object.entries(WINDOW)) rule.expr = rule.expr.replaceAll(long, short);
  }
  return JSON.stringify(rules);
}
