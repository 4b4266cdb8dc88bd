import { startTelemetry } from '@cellarman/telemetry';
import packageJson from '../../package.json' with { type: 'json' };
import type { MigrateConfig } from '../config.ts';
import { migrate } from './migrate.ts';
import { grantServiceRole } from './service-role.ts';

/** `key-service migrate`: updates the tables, then grants the role of the service its rights, if it has one. */
export async function runMigrations(config: MigrateConfig): Promise<undefined> {
  const telemetry = await startTelemetry({ service: 'key-service', version: packageJson.version, config });
  const { DATABASE_URL, DATABASE_SERVICE_ROLE } = config;
  await migrate(DATABASE_URL, telemetry.logger);
  if (DATABASE_SERVICE_ROLE !== undefined) await grantServiceRole(DATABASE_URL, DATABASE_SERVICE_ROLE);
  await telemetry.stop();
}
