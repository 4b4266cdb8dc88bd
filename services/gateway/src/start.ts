import { gracefulHttpStop } from '@cellarman/lifecycle';
import type { Service, Step } from '@cellarman/lifecycle';
import packageJson from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createLocalKeys } from './local-keys.ts';
import { createCounts, observeSpool } from './status/metrics.ts';
import { startMqtt } from './mqtt/start-mqtt.ts';
import { openSpool } from './spool.ts';

/** Of the stop's deadline, for requests in progress and for everything that is not sending. */
const DRAIN_MS = 2_000;
const CLOSE_MS = 2_000;

export const gateway = {
  name: 'gateway',
  version: packageJson.version,
  parts: ['spool', 'http'],
  // Devices are strangers: they do not decide what is recorded.
  trustRemoteParent: false,
  loadConfig,
  start,
};

/** It is ready when it can store readings, also while ingest is unavailable. */
async function start({ config, telemetry, logger, readiness, tls }: Service<Config>) {
  const counts = createCounts(telemetry.meter);
  const keys = createLocalKeys(config.LOCAL_KEYS);
  const spool = await openSpool(config, readiness, logger);
  observeSpool(telemetry.meter, spool);

  const app = await createApp({ config, keys, spool, counts, readiness, telemetry, tls });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  const mqtt = config.MQTT_ENABLED
    ? await startMqtt({ config, keys, spool, counts, logger, tls })
    : undefined;

  async function stop(step: Step): Promise<void> {
    await step('mqtt', async () => mqtt?.stop());
    await step('http', () =>
      gracefulHttpStop(app, { readiness, deregistrationDelayMs: 0, drainMs: DRAIN_MS }),
    );
    await step('sending', () => spool.close(config.SHUTDOWN_DEADLINE_MS - DRAIN_MS - CLOSE_MS));
  }
  return { url, mqttUrl: mqtt?.url, stop };
}
