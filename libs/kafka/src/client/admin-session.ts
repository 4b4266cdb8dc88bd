import type { Admin } from 'kafkajs';
import { createKafkaClient } from './kafka-connection.ts';
import type { ClientTiming, KafkaConnection } from './kafka-connection.ts';

/**
 * Sends admin requests to Kafka over a connection of its own and closes it. They are rare, and a fresh connection carries over
 * no state of an earlier failure.
 */
export async function withAdmin<T>(
  connection: KafkaConnection,
  ask: (admin: Admin) => Promise<T>,
  timing: ClientTiming = {},
): Promise<T> {
  const client = createKafkaClient(connection, timing);
  const admin = client.kafka.admin();
  try {
    await admin.connect();
    return await ask(admin);
  } finally {
    void admin
      .disconnect()
      .catch(() => undefined)
      .finally(() => client.destroy());
  }
}
