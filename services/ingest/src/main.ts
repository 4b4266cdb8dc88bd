import { runMain } from '@cellarman/lifecycle';
import { loadConfig } from './config.ts';
import { startIngest } from './start-ingest.ts';

await runMain({
  name: 'ingest',
  loadConfig,
  start: (config) => startIngest(config),
  authorities: (config) => config.NODE_EXTRA_CA_CERTS,
  deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
});
