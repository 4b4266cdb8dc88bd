import type { Admin } from 'kafkajs';
import { createKafkaClient } from './kafka-connection.ts';
import type { ClientTiming, KafkaConnection } from './kafka-connection.ts';

/**
 * Asks Kafka with a connection of its own and closes it. Such questions are rare, and a fresh connection has
 * no state of an earlier failure in the way.
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
