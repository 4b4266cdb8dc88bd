import type { ProducerPort } from '@cellarman/kafka';
import type { Readiness } from '@cellarman/lifecycle';

const LOOK_MS = 100;

/**
 * Ready once the partitions of the topic are known. It stays ready during a Kafka outage: every replica is affected alike, and
 * a 503 with Retry-After is of more use to a client than a load balancer without backends.
 */
export function watchTopic(options: { producer: ProducerPort; topic: string; readiness: Readiness }): {
  stop(): void;
} {
  const { producer, topic, readiness } = options;
  readiness.set('kafka', false, `the partitions of ${topic} are not known yet`);
  const timer = setInterval(look, LOOK_MS);

  function look(): void {
    if (producer.leaders(topic) === undefined) return;
    clearInterval(timer);
    readiness.set('kafka', true);
  }

  // The producer goes on trying by itself.
  producer.connect().then(look, () => undefined);
  return { stop: () => clearInterval(timer) };
}
