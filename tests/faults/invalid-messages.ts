import { READINGS_TOPIC } from '@cellarman/contracts';
import { createKafkaProducer, silentLogger } from '@cellarman/kafka';
import type { RunFile } from '@cellarman/local-stack';

/** Publishes messages that are not valid readings: each must become exactly one dead letter of the cellar. */
export async function publishInvalid(
  { kafkaBrokers }: RunFile,
  cellar: string,
  count: number,
): Promise<void> {
  const connection = { brokers: kafkaBrokers, clientId: 'cellarman-faults', logger: silentLogger };
  const producer = createKafkaProducer({ connection, topics: [READINGS_TOPIC] });
  await producer.connect();
  try {
    const message = { key: `${cellar}/invalid`, value: Buffer.from(JSON.stringify({ invalid: cellar })) };
    const messages = Array.from({ length: count }, () => message);
    await producer.send(READINGS_TOPIC, [{ partition: 0, messages }]);
  } finally {
    await producer.disconnect();
  }
}
