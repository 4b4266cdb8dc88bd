import { vi } from 'vitest';
import type { TelemetryConfig } from '../src/index.ts';

/** Puts the variables where the SDK reads them. `vi.unstubAllEnvs` takes them back. */
export function stubEnvironment(config: Partial<TelemetryConfig>): void {
  for (const [name, value] of Object.entries(config)) {
    if (name.startsWith('OTEL_')) vi.stubEnv(name, String(value));
  }
}
