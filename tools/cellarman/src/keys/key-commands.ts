import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { answerOf } from '../http/answer-of.ts';
import { connectKeyService, PAGE_SIZE, pagesOf } from '../http/key-service.ts';
import type { Key, KeyWithSecret } from '../http/key-service.ts';
import { createTable } from '../output/table.ts';
import { makeKey } from './make-key.ts';
import { newKey, readExpiry } from './key-settings.ts';
import type { KeySettings } from './key-settings.ts';

const JSON_HELP = 'print JSON, one object to a line';
const STATES = ['active', 'expired', 'revoked', 'all'] as const;

interface Output {
  json?: true;
}

/** create, list, rotate, revoke */
export function addKeyCommands(keys: Command, context: Context): void {
  keys
    .command('create <cellar> <name>')
    .description('create a key; only its secret goes to standard output, and only this once')
    .option('--rack <name>', 'the only rack that the key may send for')
    .option('--rack-prefix <text>', 'what the names of its racks begin with')
    .option('--scopes <list>', 'ingest, read or both, separated by a comma or a space', 'ingest')
    .option('--expires <when>', '2027-06-30, 2027-06-30T12:00:00Z or 90d; left out: never')
    .option('--rate <n>', 'readings per second; left out: that of the cellar')
    .option('--burst <n>', 'readings at once; left out: those of one second')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, name: string, options: KeySettings & Output) => {
      const request = { cellar, key: newKey(name, options), requestName: randomUUID() };
      const { lost, ...made } = await makeKey(connectKeyService(context), request);
      for (const id of lost)
        context.tell(`The answer with key ${id} was lost: it is revoked, and another was made.`);
      context.tell(
        `Created key ${made.key.id} “${name}” in cellar ${cellar}. This is its secret, shown only once:`,
      );
      await printSecret(context, made, options);
    });

  keys
    .command('list <cellar>')
    .description('list keys, newest first')
    .addOption(new Option('--state <state>', 'only keys in this state').choices(STATES).default('active'))
    .option('--json', JSON_HELP)
    .action(async (cellar: string, { state, json }: { state: (typeof STATES)[number] } & Output) => {
      const keyService = connectKeyService(context);
      const query = { limit: PAGE_SIZE, ...(state === 'all' ? {} : { state }) };
      const pages = pagesOf((cursor) =>
        answerOf(
          keyService.GET('/api/v1/cellars/{cellar}/keys', {
            params: { path: { cellar }, query: { ...query, ...cursor } },
          }),
        ),
      );
      const table = createTable(HEADING, context.print);
      for await (const page of pages) {
        if (json) for (const key of page.keys) await context.print(JSON.stringify(key));
        else await table.add(page.keys.map(cellsOf));
      }
    });

  keys
    .command('rotate <cellar> <id>')
    .description('make a new key with the same settings; the old one ends after an overlap')
    .requiredOption('--overlap <duration>', 'how long the old key goes on: 0, 45s, 30m, 12h or 7d')
    .option('--expires <when>', 'expiry of the new key; left out: that of the old one')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, id: string, options: { overlap: string; expires?: string } & Output) => {
      const rotated = await answerOf(
        connectKeyService(context).POST('/api/v1/cellars/{cellar}/keys/{id}/rotate', {
          params: { path: { cellar, id } },
          body: {
            overlapSeconds: readSeconds(options.overlap),
            ...(options.expires === undefined ? {} : { expiresAt: readExpiry(options.expires) }),
          },
        }),
      );
      context.tell(`Key ${id} ends at ${rotated.replaced.expiresAt ?? 'never'}.`);
      context.tell(`Key ${rotated.key.id} takes over. This is its secret, shown only once:`);
      await printSecret(context, rotated, options);
    });

  keys
    .command('revoke <cellar> <id>')
    .description('revoke a key, for good')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, id: string, { json }: Output) => {
      const path = { cellar, id };
      const key = await answerOf(
        connectKeyService(context).POST('/api/v1/cellars/{cellar}/keys/{id}/revoke', { params: { path } }),
      );
      await context.print(json ? JSON.stringify(key) : `Key ${key.id} “${key.name}” is revoked.`);
    });
}

async function printSecret(context: Context, made: KeyWithSecret, { json }: Output): Promise<void> {
  await context.print(json ? JSON.stringify(made) : made.secret);
}

const HEADING = ['ID', 'NAME', 'KEY', 'STATE', 'SCOPES', 'RACKS', 'CREATED', 'LAST USED', 'EXPIRES'];

function cellsOf(key: Key): string[] {
  const racks = key.rack ?? (key.rackPrefix === null ? 'all' : `${key.rackPrefix}*`);
  const times = [key.createdAt, key.lastUsedAt, key.expiresAt].map(toSeconds);
  return [key.id, key.name, `${key.displayPrefix}…`, key.state, key.scopes.join(), racks, ...times];
}

function toSeconds(instant: string | null): string {
  return instant === null ? '-' : instant.replace(/\.\d+Z$/, 'Z');
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

function readSeconds(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) * SECONDS[(unit || 's') as keyof typeof SECONDS];
  throw new Failure(EXIT.usage, `the overlap must look like 0, 45s, 30m, 12h or 7d, not ${text}`);
}
