import type { Reading } from '@cellarman/client';
import type { Logger } from '@cellarman/telemetry';
import type { Config } from '../config.ts';
import { missingRight } from '../local-keys.ts';
import type { LocalKey } from '../local-keys.ts';
import type { Counts } from '../status/metrics.ts';
import { createParseSparkplug, parseKeg, SPARKPLUG } from '../sparkplug/parse-sparkplug.ts';
import type { ParsedSparkplug } from '../sparkplug/parse-sparkplug.ts';
import { createParseMessage } from './parse-message.ts';
import { createRejectedMessages } from './rejected-messages.ts';
import type { MappedReading } from '../to-reading.ts';

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

interface AcceptOptions extends AcceptMessageOptions {
  /** Commands an edge node to send its births. */
  requestRebirth: (node: NonNullable<ParsedSparkplug['unknownNode']>) => void;
}

/**
 * Message → readings → spool. Resolves when they are on disk. For a message without a valid reading, it resolves with the reason
 * when the message is on disk.
 */
export function createAcceptMessage({ config, counts, logger, requestRebirth }: AcceptOptions) {
  const setAside = createRejectedMessages(`${config.SPOOL_FILE}.rejected.ndjson`, logger);
  const parse = createParseMessage({
    cellar: config.CELLAR,
    topics: config.MQTT_TOPICS,
    valueField: config.MQTT_VALUE_FIELD,
    timestampField: config.MQTT_TIMESTAMP_FIELD,
  });

  const parseSparkplug = createParseSparkplug({
    cellar: config.CELLAR,
    rack: config.SPARKPLUG_RACK ?? '',
    kegs: new Map(config.SPARKPLUG_KEGS?.map(parseKeg)),
  });

  async function reject({ key }: Sender, message: Message, reason: string, count = 1): Promise<string> {
    counts.mqtt.rejected.value += count;
    await setAside({ key: key.name, ...message, reason });
    return reason;
  }

  /** No await before `put`: messages of a connection must reach the spool in their order. */
  return async function acceptMessage(sender: Sender, message: Message): Promise<string | undefined> {
    if (config.SPARKPLUG_RACK !== undefined && message.topic.startsWith(SPARKPLUG))
      return acceptSparkplug(sender, message);
    const parsed = parse(message.topic, message.payload);
    if ('reason' in parsed) return reject(sender, message, parsed.reason);
    return store(sender, message, parsed.readings);
  };

  async function store(sender: Sender, message: Message, readings: readonly MappedReading[]) {
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
  }

  async function acceptSparkplug(sender: Sender, message: Message): Promise<string | undefined> {
    const { readings, rejected, unknownNode } = parseSparkplug(
      sender.key.name,
      message.topic,
      message.payload,
    );
    if (unknownNode !== undefined) requestRebirth(unknownNode);
    const [problem, reason] = await Promise.all([
      readings.length > 0 ? store(sender, message, readings) : undefined,
      rejected.length > 0 ? reject(sender, message, rejected.join('; '), rejected.length) : undefined,
    ]);
    return readings.length > 0 ? problem : reason;
  }
}
