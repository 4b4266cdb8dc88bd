import { runMain } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import { loadConfig } from './config.ts';
import { migrate } from './postgres/migrate.ts';
import { startKeyService } from './start.ts';
import packageJson from '../package.json' with { type: 'json' };

const onlyMigrate = process.argv.includes('migrate');

await runMain({
  name: 'key-service',
  loadConfig: () => loadConfig(),
  authorities: (config) => config.NODE_EXTRA_CA_CERTS,
  deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
  async start(config) {
    const telemetry = await startTelemetry({
      service: 'key-service',
      version: packageJson.version,
      config,
      trustRemoteParent: false,
    });
    if (!onlyMigrate) return startKeyService(config, telemetry);
    await migrate(config.DATABASE_URL, telemetry.logger);
    await telemetry.stop();
    return undefined;
  },
});
