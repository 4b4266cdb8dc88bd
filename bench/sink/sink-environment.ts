import { clickhouseVariables } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';

/** As the local stack sets the sink up, but on a topic, a group and a database of the bench's own. */
export function sinkEnvironment(
  urls: EngineUrls,
  { topic, round }: { topic: string; round: string },
): Record<string, string> {
  return {
    KAFKA_BROKERS: urls.kafkaBrokers.join(','),
    READINGS_TOPIC: topic,
    DEAD_LETTER_TOPIC: `${topic}.dead-letter`,
    CONSUMER_GROUP: `bench-${round}`,
    TOPIC_REPLICATION_FACTOR: '1',
    TOPIC_MIN_INSYNC_REPLICAS: '1',
    ALLOW_WEAK_TOPIC: 'true',
    ...clickhouseVariables(urls),
    CLICKHOUSE_DATABASE: `bench_${round}`,
    // Nobody listens there: the sink keeps the policy that it has.
    KEY_SERVICE_URL: 'http://127.0.0.1:9',
    INTERNAL_TOKEN: 'a-token-for-the-bench',
    NODE_OPTIONS: '--max-semi-space-size=16',
  };
}
