export { createKafkaProducer } from './kafkajs-producer.ts';
export type { KafkaProducerOptions } from './kafkajs-producer.ts';
export type { ClientTiming, KafkaConnection } from './kafka-connection.ts';
export type { KafkaLogger } from './kafkajs-log.ts';
export { createLanes } from './lanes.ts';
export type { LaneLimits, Lanes, LanesOptions, LanesStats } from './lanes.ts';
export type { SendReport } from './dispatcher.ts';
export { murmur2, murmur2OfText } from './murmur2.ts';
export { partitionOf } from './partition-of.ts';
export { ProduceError } from './produce-error.ts';
export type { ProduceErrorCode } from './produce-error.ts';
export type { ProducerTiming } from './producer-client.ts';
export type {
  MessageHeaders,
  PartitionLeaders,
  PartitionMessages,
  ProducerMessage,
  ProducerPort,
} from './producer-port.ts';
export { PublishError } from './publish-error.ts';
export type { PublishErrorCode } from './publish-error.ts';
export { createKafkaConsumer } from './kafkajs-consumer.ts';
export type { KafkaConsumerOptions } from './kafkajs-consumer.ts';
export type { ConsumerLimits, ConsumerTiming } from './consumer-client.ts';
export { ConsumerError } from './consumer-error.ts';
export type { ConsumerErrorCode } from './consumer-error.ts';
export type {
  Assignment,
  ConsumedHeaders,
  ConsumedMessage,
  ConsumerHandler,
  ConsumerPort,
  MessageBatch,
} from './consumer-port.ts';
export { createTopicAdmin } from './topic-admin.ts';
export type { TopicAdmin } from './topic-admin.ts';
export { topicWeaknesses } from './topic-policy.ts';
export type { TopicPolicy, TopicState } from './topic-policy.ts';
export { readRange } from './range-reader.ts';
export type { RangeBound, RangeOptions } from './range-reader.ts';
