import type { Command } from 'commander';
import type { paths } from '@cellarman/dashboard/query-api';
import type { Context } from '../context.ts';
import { dataOf } from '../http/response-data.ts';
import { connectQuery } from '../http/query.ts';
import { createTable } from '../output/table.ts';

type Page =
  paths['/api/v1/query/cellars/{cellar}/latest']['get']['responses'][200]['content']['application/json'];

const PAGE_SIZE = 1_000;

export function addLatestCommand(program: Command, context: Context): void {
  program
    .command('latest <cellar>')
    .description('print the latest value of each keg')
    .option('--rack <name>', 'only kegs of this rack')
    .option('--keg <name>', 'only kegs with this name')
    .option('--json', 'print JSON, one object per line')
    .action(async (cellar: string, { json, ...only }: { rack?: string; keg?: string; json?: true }) => {
      const query = connectQuery(context);
      const table = createTable(['RACK', 'KEG', 'VALUE', 'TIMESTAMP', 'RECEIVED'], context.print);
      let cursor: string | null = null;
      do {
        const page: Page = await dataOf(
          query.GET('/api/v1/query/cellars/{cellar}/latest', {
            params: {
              path: { cellar },
              query: { ...only, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
            },
          }),
        );
        if (json) for (const row of page.series) await context.print(JSON.stringify(row));
        else
          await table.add(
            page.series.map((row) => [row.rack, row.keg, String(row.value), row.timestamp, row.receivedAt]),
          );
        cursor = page.nextCursor;
      } while (cursor !== null);
    });
}
