export { createKafkaProducer } from './producer/kafkajs-producer.ts';
export type { KafkaProducer, KafkaProducerOptions } from './producer/kafkajs-producer.ts';
export type { ClientTiming, KafkaConnection } from './client/kafka-connection.ts';
export { kafkaAccess, kafkaConflicts, kafkaVariables } from './client/kafka-variables.ts';
export { silentLogger } from './client/kafkajs-log.ts';
export type { KafkaLogger } from './client/kafkajs-log.ts';
export { createLanes } from './lanes/lanes.ts';
export type { LaneLimits, Lanes, LanesOptions, LanesStats } from './lanes/lanes.ts';
export { ENOUGH_MESSAGES } from './lanes/linger.ts';
export type { GroupOutcome } from './lanes/message-group.ts';
export type { SendReport } from './lanes/dispatcher.ts';
export { COMPRESSIONS } from './producer/compress-records.ts';
export type { Compression } from './producer/compress-records.ts';
export { partitionOf } from './producer/partition-of.ts';
export { ProduceError } from './producer/produce-error.ts';
export type { ProduceErrorCode } from './producer/produce-error.ts';
export type { ProducerTiming } from './producer/producer-client.ts';
export type { PartitionReplicas } from './producer/topic-layout.ts';
export type {
  BaseOffsets,
  MessageHeaders,
  PartitionLeaders,
  PartitionMessages,
  ProducerMessage,
  ProducerPort,
} from './producer/producer-port.ts';
export { PublishError } from './lanes/publish-error.ts';
export type { PublishErrorCode } from './lanes/publish-error.ts';
export { createKafkaConsumer } from './consumer/kafkajs-consumer.ts';
export type { KafkaConsumerOptions } from './consumer/kafkajs-consumer.ts';
export type { ConsumerLimits, ConsumerTiming } from './consumer/consumer-client.ts';
export { ConsumerError } from './consumer/consumer-error.ts';
export type { ConsumerErrorCode } from './consumer/consumer-error.ts';
export type {
  Assignment,
  ConsumedHeaders,
  ConsumedMessage,
  ConsumerHandler,
  ConsumerPort,
  MessageBatch,
} from './consumer/consumer-port.ts';
export { createTopicAdmin } from './topic/topic-admin.ts';
export type { TopicAdmin } from './topic/topic-admin.ts';
export { fetchTopicHealth } from './topic/topic-health.ts';
export type { PartitionState, TopicHealth } from './topic/topic-health.ts';
export { COMPRESSION_TYPE, topicConfig, topicWeaknesses } from './topic/topic-policy.ts';
export type { TopicPolicy, TopicState } from './topic/topic-policy.ts';
export { fetchLogBounds, fetchOffsetsAt } from './consumer/start-offsets.ts';
export type { LogBounds } from './consumer/start-offsets.ts';
export { isConsumedUntil } from './consumer/consumed-until.ts';
export { readRange } from './consumer/range-reader.ts';
export type { RangeBound, RangeOptions } from './consumer/range-reader.ts';
