import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { dataOf } from '../http/response-data.ts';
import { connectKeyService, PAGE_SIZE, pagesOf } from '../http/key-service.ts';
import type { Cellar } from '../http/key-service.ts';
import { positiveInteger, readRateLimit } from '@cellarman/key-settings';
import { createTable } from '../output/table.ts';

interface CreateOptions {
  retentionDays?: string;
  rate?: string;
  burst?: string;
  json?: true;
}

/** create, list */
export function addCellarCommands(cellars: Command, context: Context): void {
  cellars
    .command('create <name>')
    .description('create a cellar')
    .option('--retention-days <n>', 'how long readings are kept (default: that of the service)')
    .option('--rate <n>', 'readings per second for all its keys together')
    .option('--burst <n>', 'burst of readings (default: those of one second)')
    .option('--json', 'print JSON')
    .action(async (name: string, options: CreateOptions) => {
      const rateLimit = readRateLimit(options);
      const days = options.retentionDays;
      const cellar = await dataOf(
        connectKeyService(context).POST('/api/v1/cellars', {
          body: {
            name,
            ...(days === undefined ? {} : { retentionDays: positiveInteger('--retention-days', days) }),
            ...(rateLimit === undefined ? {} : { rateLimit }),
          },
        }),
      );
      const text = `Created cellar ${cellar.name}. It keeps readings for ${cellar.retentionDays} days.`;
      await context.print(options.json ? JSON.stringify(cellar) : text);
    });

  cellars
    .command('list')
    .description('list cellars by name')
    .option('--search <text>', 'only names that contain this')
    .option('--archived', 'list archived cellars instead')
    .option('--json', 'print JSON, one object per line')
    .action(async (options: { search?: string; archived?: true; json?: true }) => {
      const keyService = connectKeyService(context);
      const { search, archived = false } = options;
      const query = { limit: PAGE_SIZE, archived, ...(search === undefined ? {} : { search }) };
      const table = createTable(['NAME', 'RETENTION', 'RATE', 'ACTIVE KEYS', 'CREATED'], context.print);
      const pages = pagesOf((cursor) =>
        dataOf(keyService.GET('/api/v1/cellars', { params: { query: { ...query, ...cursor } } })),
      );
      for await (const page of pages) {
        if (options.json) for (const cellar of page.cellars) await context.print(JSON.stringify(cellar));
        else await table.add(page.cellars.map(cellsOf));
      }
    });
}

function cellsOf({ name, retentionDays, rateLimit, activeKeys, createdAt }: Cellar): string[] {
  const rate = rateLimit === null ? 'none' : `${rateLimit.perSecond}/s`;
  return [
    name,
    `${retentionDays} days`,
    rate,
    activeKeys > 10_000 ? '10000+' : String(activeKeys),
    createdAt.slice(0, 10),
  ];
}
