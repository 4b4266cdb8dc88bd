import { runMain } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import { loadConfig, loadMigrateConfig } from './config.ts';
import { migrate } from './postgres/migrate.ts';
import { grantServiceRole } from './postgres/service-role.ts';
import { startKeyService } from './start.ts';
import packageJson from '../package.json' with { type: 'json' };

const identity = { service: 'key-service', version: packageJson.version, trustRemoteParent: false };

if (process.argv.includes('migrate')) {
  await runMain({
    name: 'key-service',
    loadConfig: () => loadMigrateConfig(),
    authorities: (config) => config.NODE_EXTRA_CA_CERTS,
    deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
    async start(config) {
      const telemetry = await startTelemetry({ ...identity, config });
      const { DATABASE_URL, DATABASE_SERVICE_ROLE } = config;
      await migrate(DATABASE_URL, telemetry.logger);
      if (DATABASE_SERVICE_ROLE !== undefined) await grantServiceRole(DATABASE_URL, DATABASE_SERVICE_ROLE);
      await telemetry.stop();
      return undefined;
    },
  });
} else {
  await runMain({
    name: 'key-service',
    loadConfig: () => loadConfig(),
    authorities: (config) => config.NODE_EXTRA_CA_CERTS,
    deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
    start: async (config) => startKeyService(config, await startTelemetry({ ...identity, config })),
  });
}
