import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { describeFailure, EXIT, Failure } from '../failure.ts';
import { connectKeyService } from '../http/key-service.ts';
import { positiveInteger } from '../option-values.ts';
import { showProgress } from '../output/progress.ts';
import { importKeys } from './import-keys.ts';
import type { ImportCount } from './import-keys.ts';
import { importName } from './import-name.ts';
import { readKeyRows } from './key-rows.ts';
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
The first line of FILE names its columns; all but name may be missing or empty:
  cellar       where --cellar does not say it
  name         for people; each only once in a cellar
  rack         the only rack that the key may send for, or
  rack_prefix  what the names of its racks begin with
  scopes       ingest, read or both, separated by a comma or a space (ingest)
  expires      2027-06-30, 2027-06-30T12:00:00Z or 90d (never)
  rate, burst  readings per second and at once (those of the cellar)

Killed or broken off, the same command goes on: no key twice, no secret lost.
A file beside SECRETS.csv, which ends in .import, belongs to it until all is done.`;

export function addImportCommand(keys: Command, context: Context): void {
  keys
    .command('import <file>')
    .description('create a key for each row of a CSV file')
    .requiredOption('--out <secrets.csv>', 'where the secrets go (only you may read it)')
    .option('--cellar <name>', 'cellar of the rows that name none')
    .option('--concurrency <n>', 'requests at a time', '8')
    .option('--give-up-after <s>', 'try one request for so many seconds', '600')
    .option('--allow-same-names', 'also where an active key has the name already')
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
      let count: ImportCount = { rows: rows.length, saved: file.saved.size, made: 0, refused: 0 };
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
              `line ${line}: key ${id} “${name}” was made, but its secret was lost: revoked, and another made`,
            ),
          onRefused: ({ line }, reason) => context.tell(`line ${line}: ${describeFailure(reason)}`),
        });
      } catch (error) {
        const isBegun = !(error instanceof Failure) || error.exitCode !== EXIT.usage;
        if (isBegun) context.tell(`${describe(count)}. ${GO_ON}`);
        throw error;
      } finally {
        progress.stop();
        await file.close();
      }
      const isComplete = count.saved + count.made === count.rows;
      if (!isComplete) context.exitCode = EXIT.refused;
      context.tell(`${describe(count)}. ${isComplete ? `All are in ${options.out}.` : GO_ON}`);
      if (options.json) await context.print(JSON.stringify(count));
    });
}

const GO_ON = 'The same command goes on with the rest.';

function describe({ rows, saved, made, refused }: ImportCount): string {
  const parts = [`${made} keys made`, `${saved} made before`, `${refused} refused`, `${rows} rows`];
  return parts.join(', ');
}
