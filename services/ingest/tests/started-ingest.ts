import { randomUUID } from 'node:crypto';
import { createTopicAdmin, readRange } from '@cellarman/kafka';
import { startService } from '@cellarman/lifecycle';
import { expect, vi } from 'vitest';
import { loadConfig } from '../src/config.ts';
import type { Config } from '../src/config.ts';
import { ingest } from '../src/start.ts';
import { silent } from './ingest-app.ts';
import { startKeyServiceStub } from './key-service-stub.ts';
import type { KeyServiceStub } from './key-service-stub.ts';

export interface StoredMessage {
  partition: number;
  offset: number;
  key: string;
  value: string;
  headers: Record<string, string>;
}

/** The whole service on real engines, with a topic of its own. Only key-service is a small one. */
export interface StartedIngest {
  url: string;
  topic: string;
  keyService: KeyServiceStub;
  /** Everything that is in the topic now. */
  stored(): Promise<StoredMessage[]>;
  stop(): Promise<void>;
  removeTopic(): Promise<void>;
}

export const PARTITIONS = 3;

export async function startOnEngines(
  engines: { kafkaBrokers: string[]; redisUrl: string },
  change: Partial<Config> = {},
): Promise<StartedIngest> {
  const topic = `test-ingest-${randomUUID()}`;
  const connection = { brokers: engines.kafkaBrokers, clientId: 'ingest-test', logger: silent };
  const admin = createTopicAdmin(connection);
  await admin.createMissing(topic, {
    partitions: PARTITIONS,
    replicationFactor: 1,
    minInsyncReplicas: 1,
    retentionMs: 604_800_000,
    maxMessageBytes: 1_048_576,
  });
  const keyService = await startKeyServiceStub();
  const env = {
    LOG_LEVEL: 'silent',
    PORT: '0',
    DEREGISTRATION_DELAY_MS: '0',
    KAFKA_BROKERS: engines.kafkaBrokers.join(),
    READINGS_TOPIC: topic,
    REDIS_URL: engines.redisUrl,
    KEY_SERVICE_URL: keyService.url,
    INTERNAL_TOKEN: keyService.token,
  };
  const running = await startService(ingest, { ...loadConfig(env), ...change });
  const isReady = async () => expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  await vi.waitFor(isReady, { timeout: 20_000, interval: 50 });
  return {
    url: running.url,
    topic,
    keyService,
    async stored() {
      const messages: StoredMessage[] = [];
      for await (const batch of readRange({ connection, topic, from: 'start', to: 'end' })) {
        for (const { key, value, offset, headers = {} } of batch.messages) {
          messages.push({
            partition: batch.partition,
            offset: Number(offset),
            key: String(key),
            value: String(value),
            headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
          });
        }
      }
      return messages;
    },
    async stop() {
      await running.stop((_name, run) => run());
      await keyService.close();
    },
    removeTopic: () => admin.delete(topic),
  };
}
