import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';

export interface ExecutedStatement {
  text: string;
  ms: number;
  /** Pages of 8 kB that were found in memory, or read. */
  pages: number;
  plan: unknown;
}

/** PostgreSQL logs each statement of new connections with its plan, as it was executed. */
export async function logPlans(client: Client): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    // Times of each node would make the statement slower.
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    log_line_prefix: '%a|',
  };
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  }
  await client.query(`SELECT pg_reload_conf()`);
}

/** What key-service has executed since the log was `from` bytes long. */
export async function executedStatements(logFile: string, from: number): Promise<ExecutedStatement[]> {
  const log = (await readFile(logFile)).toString('utf8', from);
  const pattern = /^key-service[^|]*\|LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/gm;
  return [...log.matchAll(pattern)].map(([, ms = '', json = '']) => {
    const plan = JSON.parse(json.replaceAll(/^\t/gm, '')) as {
      'Query Text': string;
      Plan: Record<string, number>;
    };
    const pages = (plan.Plan['Shared Hit Blocks'] ?? 0) + (plan.Plan['Shared Read Blocks'] ?? 0);
    return { text: plan['Query Text'], ms: Number(ms), pages, plan: plan.Plan };
  });
}
