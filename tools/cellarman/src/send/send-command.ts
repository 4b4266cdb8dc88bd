import { READING_FIELD_NAMES } from '@cellarman/reading';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { FORMATS } from './send-options.ts';
import type { SendOptions } from './send-options.ts';

const HELP = `
A file is CSV, with the columns ${READING_FIELD_NAMES.join()} in any order in its first line, or NDJSON, one
reading per line. Each reading that is not acknowledged is printed with its line number, error code and reason.
Sending a file again is always safe: duplicates are removed.`;

export function addSendCommand(program: Command, context: Context): void {
  program
    .command('send [reading]')
    .description('send one reading, given as JSON, or the readings of a file')
    .option('--file <path>', 'a .csv, .ndjson or .jsonl file; - is standard input')
    .addOption(
      new Option('--format <format>', 'required if the file name has no known extension').choices(FORMATS),
    )
    .option('--cellar <name>', 'cellar for a CSV file without that column')
    .option('--in-flight <n>', 'concurrent batches; 1 preserves the order of the file', '4')
    .option('--give-up-after <s>', 'retry each reading for this many seconds', '60')
    .option('--json', 'print JSON: one object per line, the counts last')
    .addHelpText('after', HELP)
    .action(async (reading: string | undefined, options: SendOptions) => {
      if ((reading === undefined) === (options.file === undefined))
        throw new Failure(EXIT.usage, 'specify either a reading or --file');
      // Loaded on use: what the other commands do not need would slow their start.
      const { sendAll, sendOne } = await import('./send.ts');
      await (reading === undefined ? sendAll(context, options) : sendOne(context, reading, options));
    });
}
