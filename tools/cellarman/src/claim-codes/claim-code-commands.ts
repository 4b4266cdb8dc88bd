import type { Command } from 'commander';
import { positiveInteger, readExpiry, readRateLimit } from '@cellarman/key-settings';
import type { Context } from '../context.ts';
import { connectKeyService, PAGE_SIZE, pagesOf } from '../http/key-service.ts';
import type { ClaimCode } from '../http/key-service.ts';
import { dataOf } from '../http/response-data.ts';
import { createTable } from '../output/table.ts';

const JSON_HELP = 'print JSON, one object per line';
const PATH = '/api/v1/cellars/{cellar}/claim-codes';

interface Output {
  json?: true;
}

interface NewCode extends Output {
  keys: string;
  expires: string;
  rackPrefix?: string;
  forGateways?: true;
  rate?: string;
  burst?: string;
}

/** create, list, revoke */
export function addClaimCodeCommands(codes: Command, context: Context): void {
  codes
    .command('create <cellar> <name>')
    .description('create a claim code and print it; it is shown only once')
    .requiredOption('--keys <n>', 'how many keys can be claimed')
    .requiredOption('--expires <when>', '2027-06-30, 2027-06-30T12:00:00Z or 90d')
    .option('--rack-prefix <text>', 'only for racks whose names start with this')
    .option('--for-gateways', 'each key is for all racks whose names start with the claimed one')
    .option('--rate <n>', 'readings per second of each key (default: the rate of the cellar)')
    .option('--burst <n>', 'burst of readings (default: those of one second)')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, name: string, options: NewCode) => {
      const rateLimit = readRateLimit({ rate: options.rate, burst: options.burst });
      const made = await dataOf(
        connectKeyService(context).POST(PATH, {
          params: { path: { cellar } },
          body: {
            name,
            maxKeys: positiveInteger('the number of keys', options.keys),
            expiresAt: readExpiry(options.expires),
            rackPrefix: options.rackPrefix ?? null,
            forGateways: options.forGateways ?? false,
            ...(rateLimit === undefined ? {} : { rateLimit }),
          },
        }),
      );
      context.tell(
        `Created claim code ${made.claimCode.id} “${name}” in cellar ${cellar}. It is shown only once:`,
      );
      await context.print(options.json ? JSON.stringify(made) : made.secret);
    });

  codes
    .command('list <cellar>')
    .description('list the claim codes of a cellar, newest first')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, { json }: Output) => {
      const keyService = connectKeyService(context);
      const pages = pagesOf((cursor) =>
        dataOf(
          keyService.GET(PATH, { params: { path: { cellar }, query: { limit: PAGE_SIZE, ...cursor } } }),
        ),
      );
      const table = createTable(HEADING, context.print);
      for await (const { claimCodes } of pages) {
        if (json) for (const code of claimCodes) await context.print(JSON.stringify(code));
        else await table.add(claimCodes.map(cellsOf));
      }
    });

  codes
    .command('revoke <cellar> <id>')
    .description('revoke a claim code permanently: no more keys can be claimed')
    .option('--with-keys', 'also revoke the keys that were claimed with it')
    .option('--json', JSON_HELP)
    .action(async (cellar: string, id: string, { withKeys, json }: { withKeys?: true } & Output) => {
      const revoked = await dataOf(
        connectKeyService(context).POST(`${PATH}/{id}/revoke`, {
          params: { path: { cellar, id } },
          body: { revokeKeys: withKeys ?? false },
        }),
      );
      const { claimCode, revokedKeys } = revoked;
      const keys = withKeys
        ? `. Revoked keys: ${revokedKeys}`
        : `. Keys that stay active: ${claimCode.activeKeys}`;
      await context.print(
        json ? JSON.stringify(revoked) : `Claim code ${id} “${claimCode.name}” is revoked${keys}.`,
      );
    });
}

const HEADING = ['ID', 'NAME', 'CODE', 'STATE', 'RACKS', 'KEYS', 'ACTIVE', 'EXPIRES'];

function cellsOf(code: ClaimCode): string[] {
  const racks = code.rackPrefix === null ? 'all' : `${code.rackPrefix}*`;
  const keys = `${code.claimedKeys} of ${code.maxKeys}`;
  const expires = code.expiresAt.replace(/\.\d+Z$/, 'Z');
  return [
    ...[code.id, code.name, `${code.displayPrefix}…`, code.state, racks],
    ...[keys, String(code.activeKeys), expires],
  ];
}
