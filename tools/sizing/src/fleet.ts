/** What is to be sized. */
export interface Fleet {
  devices: number;
  /** Between two readings of a series. */
  intervalSeconds: number;
  /** Series of a device. */
  kegs: number;
  /** Readings in a request, all of one device. */
  readingsPerRequest: number;
  /** How long Kafka keeps readings. */
  topicDays: number;
  /** How long ClickHouse keeps readings. */
  storeDays: number;
  kafkaReplicas: number;
  /** Copies of the tables. The chart supports one ClickHouse server; more are for comparing costs. */
  clickhouseReplicas: number;
}

export const DEFAULT_FLEET: Fleet = {
  ...{ devices: 10_000, intervalSeconds: 60, kegs: 1, readingsPerRequest: 1 },
  ...{ topicDays: 7, storeDays: 90, kafkaReplicas: 3, clickhouseReplicas: 1 },
};

export function readingsPerSecond({ devices, intervalSeconds, kegs }: Fleet): number {
  return (devices * kegs) / intervalSeconds;
}
