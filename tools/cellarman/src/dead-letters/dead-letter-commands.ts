import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { dataOf } from '../http/response-data.ts';
import { connectKeyService, PAGE_SIZE, pagesOf } from '../http/key-service.ts';
import { printable } from '../output/printable.ts';
import { createTable } from '../output/table.ts';
import { countDeadLetters, followReplays } from './follow-replays.ts';

const STATES = ['open', 'replaying', 'replayed', 'discarded'] as const;
type State = (typeof STATES)[number];

interface Selected {
  all?: boolean;
  reason?: string;
  dryRun?: boolean;
  asOf?: string;
}

/** list, show, replay, discard */
export function addDeadLetterCommands(deadLetters: Command, context: Context): void {
  deadLetters
    .command('list')
    .description('list dead letters, newest first')
    .option('--state <state>', STATES.join(', '), 'open')
    .option('--reason <text>', 'only those whose reason contains this')
    .option('--json', 'print JSON, one object per line')
    .action(async ({ state, reason, json }: { state: string; reason?: string; json?: true }) => {
      const keyService = connectKeyService(context);
      // The service rejects an unknown state, and lists those that there are.
      const filter = { limit: PAGE_SIZE, state: state as State, ...(reason === undefined ? {} : { reason }) };
      const table = createTable(['ID', 'AT', 'ORIGIN', 'BYTES', 'REASON'], context.print);
      const pages = pagesOf((cursor) =>
        dataOf(keyService.GET('/api/v1/dead-letters', { params: { query: { ...filter, ...cursor } } })),
      );
      for await (const page of pages) {
        if (json) for (const letter of page.deadLetters) await context.print(JSON.stringify(letter));
        else
          await table.add(
            page.deadLetters.map(({ id, at, origin, size, reason: why }) => [
              ...[id, at.slice(0, 19) + 'Z', `${origin.partition}:${origin.offset}`, String(size), why],
            ]),
          );
      }
    });

  deadLetters
    .command('show <id>')
    .description('show a dead letter with its payload')
    .option('--hex', 'print the payload in hexadecimal')
    .option('--json', 'print JSON, with key and payload in Base64')
    .action(async (id: string, { hex, json }: { hex?: true; json?: true }) => {
      const path = { params: { path: { id } } };
      const letter = await dataOf(connectKeyService(context).GET('/api/v1/dead-letters/{id}', path));
      if (json) return context.print(JSON.stringify(letter));
      const { topic, partition, offset } = letter.origin;
      const payload = Buffer.from(letter.value, 'base64');
      for (const [name, text] of [
        ['state', letter.state],
        ['at', letter.at],
        ['reason', letter.reason],
        ['origin', `${topic}, partition ${partition}, offset ${offset}`],
        ['key', Buffer.from(letter.key, 'base64').toString()],
        ['headers', JSON.stringify(letter.headers)],
        ['bytes', `${letter.size}${letter.isTruncated ? ', truncated' : ''}`],
      ] as const)
        await context.print(`${name.padEnd(8)} ${printable(text)}`);
      await context.print(hex ? payload.toString('hex') : printable(payload.toString()));
    });

  for (const action of ['replay', 'discard'] as const) {
    deadLetters
      .command(`${action} [ids...]`)
      .description(
        action === 'replay'
          ? 'validate open dead letters again and store the valid ones'
          : 'permanently discard open dead letters',
      )
      .option('--all', 'all that are open')
      .option('--reason <text>', 'only those whose reason contains this')
      .option('--dry-run', 'only count them')
      .option('--as-of <token>', 'from a dry run: only those that it counted')
      .action(async (ids: string[], { all = false, dryRun = false, ...rest }: Selected, command: Command) => {
        const { reason, asOf } = rest;
        if (ids.length === 0 && reason === undefined && !all) {
          command.error('cellarman: name IDs, or use --reason or --all');
        }
        const keyService = connectKeyService(context);
        const before = await countDeadLetters(keyService);
        const { selected, asOf: counted } = await dataOf(
          keyService.POST(`/api/v1/dead-letters/${action}`, {
            body: {
              dryRun,
              ...(ids.length === 0 ? {} : { ids }),
              ...(reason === undefined ? {} : { reason }),
              ...(asOf === undefined ? {} : { asOf }),
            },
          }),
        );
        if (dryRun) {
          context.tell(`cellarman: to select only these: --as-of ${counted ?? ''}`);
          return context.print(`${selected} would be selected. Nothing was changed.`);
        }
        if (action === 'discard') return context.print(`Discarded ${selected}.`);
        await followReplays(context, keyService, { selected, replayedBefore: before.replayed });
      });
  }
}
