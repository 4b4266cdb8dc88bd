import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { dataOf } from '../http/response-data.ts';
import { connectKeyService, PAGE_SIZE, pagesOf } from '../http/key-service.ts';
import type { Key, KeyWithSecret } from '../http/key-service.ts';
import { createTable } from '../output/table.ts';
import { makeKey } from './make-key.ts';
import { newKey, readExpiry } from '@cellarman/key-settings';
import type { KeySettings } from '@cellarman/key-settings';

const JSON_HELP = 'print JSON, one object per line';
const STATES = ['active', 'expired', 'revoked', 'all'] as const;

interface Output {
  json?: true;
}

/** create, list, rotate, revoke */
export function addKeyCommands(keys: Command, context: Context): void {
  keys
    .command('create <cellar> <name>')
    .description('create a key and print its secret, which is shown only once')
    .option('--rack <name>', 'restrict the key to this rack')
    .option('--rack-prefix <text>', 'restrict the key to racks whose names start with this')
    .option('--scopes <list>', 'ingest, read or both, separated by a comma or a space', 'ingest')
    .option('--expires <when>', '2027-06-30, 2027-06-30T12:00:00Z or 90d (default: never)')
    .option('--rate <n>', 'readings per second (default: the rate of the cellar)')
    .option('--burst <n>', 'burst of readings (default: those of one second)')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, name: string, options: KeySettings & Output) => {
      const request = { cellar, key: newKey(name, options), requestName: randomUUID() };
      const { lost, ...made } = await makeKey(connectKeyService(context), request);
      for (const id of lost)
        context.tell(`The response with key ${id} was lost. It was revoked, and another key was created.`);
      context.tell(
        `Created key ${made.key.id} “${name}” in cellar ${cellar}. Its secret is shown only once:`,
      );
      await printSecret(context, made, options);
    });

  keys
    .command('list <cellar>')
    .description('list the keys of a cellar, newest first')
    .addOption(new Option('--state <state>', 'only keys in this state').choices(STATES).default('active'))
    .option('--json', JSON_HELP)
    .action(async (cellar: string, { state, json }: { state: (typeof STATES)[number] } & Output) => {
      const keyService = connectKeyService(context);
      const query = { limit: PAGE_SIZE, ...(state === 'all' ? {} : { state }) };
      const pages = pagesOf((cursor) =>
        dataOf(
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
    .description('create a key with the same settings; the old key expires after an overlap')
    .requiredOption('--overlap <duration>', 'how long the old key stays valid: 0, 45s, 30m, 12h or 7d')
    .option('--expires <when>', 'expiry of the new key (default: that of the old key)')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, id: string, options: { overlap: string; expires?: string } & Output) => {
      const rotated = await dataOf(
        connectKeyService(context).POST('/api/v1/cellars/{cellar}/keys/{id}/rotate', {
          params: { path: { cellar, id } },
          body: {
            overlapSeconds: readSeconds(options.overlap),
            ...(options.expires === undefined ? {} : { expiresAt: readExpiry(options.expires) }),
          },
        }),
      );
      context.tell(`Key ${id} expires at ${rotated.replaced.expiresAt ?? 'never'}.`);
      context.tell(`Key ${rotated.key.id} replaces it. Its secret is shown only once:`);
      await printSecret(context, rotated, options);
    });

  keys
    .command('revoke <cellar> <id>')
    .description('revoke a key permanently')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, id: string, { json }: Output) => {
      const path = { cellar, id };
      const key = await dataOf(
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
