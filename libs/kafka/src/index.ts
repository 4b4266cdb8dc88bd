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
