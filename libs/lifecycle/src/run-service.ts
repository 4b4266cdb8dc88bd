import { runMain } from './run-main.ts';
import { startService } from './start-service.ts';
import type { RunningService, ServiceConfig, ServiceDefinition } from './start-service.ts';

/** Runs a service as the process that this is, until a signal. */
export async function runService<Config extends ServiceConfig, Result extends RunningService>(
  definition: ServiceDefinition<Config, Result>,
): Promise<void> {
  const { name, loadConfig } = definition;
  await runMain({ name, loadConfig, start: (config, context) => startService(definition, config, context) });
}
