import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT, run } from './run.ts';

export interface ReplayAudit {
  /** Where `audit.csv` is. */
  directory: string;
  /** Of key-service. */
  url: string;
  /** A service token of an owner, older than the backup. */
  token: string;
}

/** Runs the commands of docs/backup.md that stop again what was stopped after a dump, as they stand there. */
export async function replayAudit({ directory, url, token }: ReplayAudit): Promise<void> {
  const text = await readFile(join(CHECKOUT, 'docs', 'backup.md'), 'utf8');
  const commands = text.split('```').find((block) => block.startsWith('sh\n') && block.includes('key\\.'));
  if (commands === undefined) throw new Error('docs/backup.md has no commands for audit.csv');
  const cellarman = `cellarman() { (cd '${CHECKOUT}' && '${process.execPath}' tools/cellarman/src/main.ts "$@" </dev/null); }`;
  await run('bash', ['-c', `cd '${directory}' && ${cellarman}\n${commands.replace(/^sh\n/, '')}`], {
    CELLARMAN_URL: url,
    CELLARMAN_TOKEN: token,
  });
}
