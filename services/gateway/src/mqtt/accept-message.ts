import type { Reading } from '@cellarman/client';
import type { Logger } from '@cellarman/telemetry';
import type { Config } from '../config.ts';
import { missingRight } from '../local-keys.ts';
import type { LocalKey } from '../local-keys.ts';
import type { Counts } from '../status/metrics.ts';
import { createParseMessage } from './parse-message.ts';
import { createRejectedMessages } from './rejected-messages.ts';

/** A connected device. */
export interface Sender {
  key: LocalKey;
  put: (readings: readonly Reading[]) => Promise<unknown>;
}

export interface Message {
  topic: string;
  payload: Buffer;
}

export interface AcceptMessageOptions {
  config: Config;
  counts: Counts;
  logger: Logger;
}

/**
 * Message → readings → spool. Resolves when they are on disk. For a message without a valid reading, it resolves with the reason
 * when the message is on disk.
 */
export function createAcceptMessage({ config, counts, logger }: AcceptMessageOptions) {
  const setAside = createRejectedMessages(`${config.SPOOL_FILE}.rejected.ndjson`, logger);
  const parse = createParseMessage({
    cellar: config.CELLAR,
    topics: config.MQTT_TOPICS,
    valueField: config.MQTT_VALUE_FIELD,
    timestampField: config.MQTT_TIMESTAMP_FIELD,
  });

  async function reject({ key }: Sender, message: Message, reason: string): Promise<string> {
    counts.mqtt.rejected.value += 1;
    await setAside({ key: key.name, ...message, reason });
    return reason;
  }

  /** No await before `put`: messages of a connection must reach the spool in their order. */
  return async function acceptMessage(sender: Sender, message: Message): Promise<string | undefined> {
    const parsed = parse(message.topic, message.payload);
    if ('reason' in parsed) return reject(sender, message, parsed.reason);
    const { readings } = parsed;
    for (const reading of readings) {
      const missing = missingRight(reading, sender.key, config.CELLAR);
      if (missing !== undefined) return reject(sender, message, missing.error);
    }
    try {
      await sender.put(readings);
    } catch (error) {
      counts.mqtt.unavailable.value += readings.length;
      throw error;
    }
    counts.mqtt.queued.value += readings.length;
    return undefined;
  };
}
