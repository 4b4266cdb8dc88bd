import { flag, list, secret, text } from '@cellarman/config';
import {
  certificateConflicts,
  certificateFiles,
  clientCertificate,
  clientCertificateVariables,
} from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';
import type { KafkaConnection } from './kafka-connection.ts';

/** The environment variables by which every program finds Kafka. */
export const kafkaVariables = {
  KAFKA_BROKERS: list({ description: 'Bootstrap brokers, as host:port, separated by commas.' }),
  KAFKA_TLS: flag({
    default: false,
    description:
      'true encrypts the connections to Kafka and verifies its certificates. NODE_EXTRA_CA_CERTS names a file with additional authorities.',
  }),
  ...clientCertificateVariables('KAFKA_TLS', 'Kafka'),
  KAFKA_SASL_MECHANISM: Type.Optional(
    Type.Union([Type.Literal('plain'), Type.Literal('scram-sha-256'), Type.Literal('scram-sha-512')], {
      description:
        'The SASL mechanism: plain, scram-sha-256 or scram-sha-512. Without it there is no authentication.',
    }),
  ),
  KAFKA_USERNAME: Type.Optional(text({ description: 'The SASL user.' })),
  KAFKA_PASSWORD: Type.Optional(secret({ description: 'The password of that user.' })),
};

type KafkaVariables = Static<TObject<typeof kafkaVariables>>;

/**
 * The connection that the variables describe.
 *
 * @throws {UnusableCertificate} when there are files for a certificate, and they cannot be used
 */
export function kafkaAccess(config: KafkaVariables): Pick<KafkaConnection, 'brokers' | 'tls' | 'sasl'> {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = config;
  const files = certificateFiles(config, 'KAFKA_TLS');
  return {
    brokers: config.KAFKA_BROKERS,
    ...(config.KAFKA_TLS ? { tls: files === undefined ? true : clientCertificate(files) } : {}),
    ...(mechanism !== undefined && username !== undefined && password !== undefined
      ? { sasl: { mechanism, username, password } }
      : {}),
  };
}

/** What no variable can be wrong about alone. */
export function kafkaConflicts(config: KafkaVariables): string[] {
  const given = [config.KAFKA_SASL_MECHANISM, config.KAFKA_USERNAME, config.KAFKA_PASSWORD].filter(
    (value) => value !== undefined,
  );
  return [
    ...(given.length === 0 || given.length === 3
      ? []
      : ['KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD go together: give all three or none']),
    ...certificateConflicts(config, 'KAFKA_TLS', { isEncrypted: config.KAFKA_TLS, how: 'KAFKA_TLS=true' }),
  ];
}
