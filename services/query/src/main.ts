import { runMain } from '@cellarman/lifecycle';
import { startTelemetry } from '@cellarman/telemetry';
import packageJson from '../package.json' with { type: 'json' };
import { loadConfig } from './config.ts';
import { startQuery } from './start.ts';

await runMain({
  name: 'query',
  loadConfig: () => loadConfig(),
  authorities: (config) => config.NODE_EXTRA_CA_CERTS,
  deadlineMs: (config) => config.SHUTDOWN_DEADLINE_MS,
  async start(config) {
    const telemetry = await startTelemetry({
      service: 'query',
      version: packageJson.version,
      config,
      trustRemoteParent: false,
    });
    return startQuery(config, telemetry);
  },
});
