import { runMain, runService } from '@cellarman/lifecycle';
import { loadMigrateConfig } from './config.ts';
import { runMigrations } from './postgres/run-migrations.ts';
import { keyService } from './start.ts';

await (process.argv.includes('migrate')
  ? runMain({ name: 'key-service migrate', loadConfig: loadMigrateConfig, start: runMigrations })
  : runService(keyService));
