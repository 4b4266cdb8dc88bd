import { ClientError } from '@cellarman/client';
import type { Logger } from '@cellarman/telemetry';
import type { Config } from '../config.ts';
import { missingRight } from '../local-keys.ts';
import type { LocalKey } from '../local-keys.ts';
import type { Spool } from '../spool.ts';
import type { Counts } from '../status/metrics.ts';
import { createParseMessage } from './parse-message.ts';
import { createRejectedMessages } from './rejected-messages.ts';

export interface Message {
  key: LocalKey;
  topic: string;
  payload: Buffer;
}

export interface AcceptMessageOptions {
  config: Config;
  spool: Pick<Spool, 'put'>;
  counts: Counts;
  logger: Logger;
}

/** Message → readings → spool. Resolves when the readings, or the rejected message, are on disk. */
export function createAcceptMessage({ config, spool, counts, logger }: AcceptMessageOptions) {
  const setAside = createRejectedMessages(`${config.SPOOL_FILE}.rejected.ndjson`, logger);
  const parse = createParseMessage({
    cellar: config.CELLAR,
    topics: config.MQTT_TOPICS,
    valueField: config.MQTT_VALUE_FIELD,
    timestampField: config.MQTT_TIMESTAMP_FIELD,
  });

  async function reject({ key, ...message }: Message, reason: string): Promise<void> {
    counts.mqtt.rejected.value += 1;
    await setAside({ key: key.name, ...message, reason });
  }

  /** No await before `put`: messages of a connection must reach the spool in their order. */
  return async function acceptMessage(message: Message): Promise<void> {
    const parsed = parse(message.topic, message.payload);
    if ('reason' in parsed) return reject(message, parsed.reason);
    const { readings } = parsed;
    for (const reading of readings) {
      const missing = missingRight(reading, message.key, config.CELLAR);
      if (missing !== undefined) return reject(message, missing.error);
    }
    try {
      await spool.put(readings);
    } catch (error) {
      if (error instanceof ClientError && error.code === 'invalid_reading')
        return reject(message, error.message);
      counts.mqtt.unavailable.value += readings.length;
      throw error;
    }
    counts.mqtt.queued.value += readings.length;
  };
}
