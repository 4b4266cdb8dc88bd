import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { describeFailure, EXIT, Failure } from '../failure.ts';
import { connectKeyService } from '../http/key-service.ts';
import { positiveInteger } from '@cellarman/key-settings';
import { showProgress } from '../output/progress.ts';
import { importKeys } from './import-keys.ts';
import type { ImportCount } from './import-keys.ts';
import { importName } from './import-name.ts';
import { readKeyRows } from './read-key-rows.ts';
import { openSecretsFile } from './secrets-file.ts';

interface ImportCommandOptions {
  out: string;
  cellar?: string;
  concurrency: string;
  giveUpAfter: string;
  allowSameNames?: true;
  json?: true;
}

const HELP = `
The first line of the file lists its columns. Only name is required; defaults are in parentheses:
  cellar       cellar of the key (--cellar)
  name         display name, unique within a cellar
  rack         the only rack that the key can send for (all racks)
  rack_prefix  prefix of the names of its racks, instead of rack
  scopes       ingest, read or both, separated by a comma or a space (ingest)
  expires      2027-06-30, 2027-06-30T12:00:00Z or 90d (never)
  rate, burst  readings per second, and burst (the limits of the cellar)

If the import is interrupted, run the same command again: it continues without
a duplicate key or a lost secret. Until all keys are created, keep the file
<secrets.csv>.import beside the secrets.`;

export function addImportCommand(keys: Command, context: Context): void {
  keys
    .command('import <file>')
    .description('create a key for each row of a CSV file')
    .requiredOption('--out <secrets.csv>', 'file for the secrets, which only you can read')
    .option('--cellar <name>', 'cellar of rows without one')
    .option('--concurrency <n>', 'number of concurrent requests', '8')
    .option('--give-up-after <s>', 'how many seconds to retry one request', '600')
    .option('--allow-same-names', 'create keys even if active keys have the same names')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', HELP)
    .action(async (path: string, options: ImportCommandOptions) => {
      const rows = await readKeyRows(path, options.cellar);
      const keyService = connectKeyService(
        context,
        1_000 * positiveInteger('--give-up-after', options.giveUpAfter),
      );
      const concurrency = positiveInteger('--concurrency', options.concurrency);
      const file = await openSecretsFile(options.out);
      let count: ImportCount = { rows: rows.length, saved: file.saved.size, created: 0, rejected: 0 };
      const progress = showProgress(() => describe(count), context.terminal);
      try {
        count = await importKeys({
          ...{ keyService, rows, file, concurrency },
          name: importName(options.out),
          allowSameNames: options.allowSameNames ?? false,
          stop: context.interrupted,
          onCount: (now) => (count = now),
          onLost: ({ line, name }, id) =>
            context.tell(
              `line ${line}: the secret of key ${id} “${name}” was lost: revoked the key and created another`,
            ),
          onRejected: ({ line }, reason) => context.tell(`line ${line}: ${describeFailure(reason)}`),
        });
      } catch (error) {
        const isBegun = !(error instanceof Failure) || error.exitCode !== EXIT.usage;
        if (isBegun) context.tell(`${describe(count)}. ${RESUME_HINT}`);
        throw error;
      } finally {
        progress.stop();
        await file.close();
      }
      const isComplete = count.saved + count.created === count.rows;
      if (!isComplete) context.exitCode = EXIT.rejected;
      context.tell(`${describe(count)}. ${isComplete ? `All keys are in ${options.out}.` : RESUME_HINT}`);
      if (options.json) await context.print(JSON.stringify(count));
    });
}

const RESUME_HINT = 'Run the same command again to continue.';

function describe({ rows, saved, created, rejected }: ImportCount): string {
  const parts = [
    `${created} keys created`,
    `${saved} created before`,
    `${rejected} rejected`,
    `${rows} rows`,
  ];
  return parts.join(', ');
}
