import { Option } from 'commander';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { FORMATS } from './send-options.ts';
import type { SendOptions } from './send-options.ts';

const HELP = `
A file is CSV, its first line naming the columns cellar,rack,keg,value,timestamp in any order, or NDJSON, a reading
to a line. Standard output gets a line for each reading that is not acknowledged: its line in the file, code, reason.
To send a file again is always safe: equal readings are one.`;

export function addSendCommand(program: Command, context: Context): void {
  program
    .command('send [reading]')
    .description('send one reading, given as JSON, or those of a file')
    .option('--file <path>', 'a .csv, .ndjson or .jsonl file; - is standard input')
    .addOption(new Option('--format <format>', 'where the name of the file does not tell').choices(FORMATS))
    .option('--cellar <name>', 'cellar of the rows of a CSV file without that column')
    .option('--in-flight <n>', 'batches on their way at a time; 1 keeps the order of the file', '4')
    .option('--give-up-after <s>', 'try each reading for so many seconds', '60')
    .option('--json', 'print JSON: one object to a line, the counts last')
    .addHelpText('after', HELP)
    .action(async (reading: string | undefined, options: SendOptions) => {
      if ((reading === undefined) === (options.file === undefined))
        throw new Failure(EXIT.usage, 'give either a reading or --file');
      // Loaded on use: what the other commands do not need would slow their start.
      const { sendAll, sendOne } = await import('./send.ts');
      await (reading === undefined ? sendAll(context, options) : sendOne(context, reading, options));
    });
}
