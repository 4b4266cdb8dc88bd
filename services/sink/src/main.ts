import { runMain, runService } from '@cellarman/lifecycle';
import { loadMigrateConfig } from './config.ts';
import { migrate } from './migrate/migrate.ts';
import { sink } from './start.ts';

await (process.argv.includes('migrate')
  ? runMain({ name: 'sink migrate', loadConfig: loadMigrateConfig, start: migrate })
  : runService(sink));
