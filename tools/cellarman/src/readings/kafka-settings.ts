import { ConfigError, readConfig } from '@cellarman/config';
import { kafkaAccess, kafkaConflicts, kafkaVariables } from '@cellarman/kafka';
import type { KafkaConnection } from '@cellarman/kafka';
import { Type } from '@sinclair/typebox';
import { EXIT, Failure } from '../failure.ts';

/**
 * Where Kafka is and how to sign in there, by the same variables that the services read.
 *
 * @throws {Failure} when they are missing or wrong
 */
export function readKafkaAccess(env: NodeJS.ProcessEnv): Pick<KafkaConnection, 'brokers' | 'tls' | 'sasl'> {
  try {
    const schema = Type.Object(kafkaVariables);
    return kafkaAccess(readConfig({ service: 'cellarman', schema, env, conflicts: kafkaConflicts }));
  } catch (error) {
    throw asUsage(error);
  }
}

/** An environment that is wrong is wrong use. */
export function asUsage(error: unknown): unknown {
  return error instanceof ConfigError
    ? new Failure(EXIT.usage, error.problems.join('; '), { cause: error })
    : error;
}
