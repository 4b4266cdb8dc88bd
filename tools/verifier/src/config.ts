import { existsSync, readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { clickHouseVariables } from '@cellarman/clickhouse';
import { readConfig, text } from '@cellarman/config';
import { kafkaConflicts, kafkaVariables } from '@cellarman/kafka';
import { DEAD_LETTER_TOPIC, READINGS_TOPIC } from '@cellarman/contracts';
import { clickHouseCertificateConflicts } from '@cellarman/tls';

export const configSchema = Type.Object({
  ...kafkaVariables,
  READINGS_TOPIC: text({ description: 'The topic that is compared.', default: READINGS_TOPIC }),
  DEAD_LETTER_TOPIC: text({
    description: 'The topic for messages that are not valid readings.',
    default: DEAD_LETTER_TOPIC,
  }),
  ...clickHouseVariables({
    database: 'The database that holds the view `readings`.',
    user: 'A user who may read.',
  }),
});

export type Config = Static<typeof configSchema>;

/** The part of `run.json` that says where the local stack is. */
interface RunFile {
  kafkaBrokers: string[];
  clickhouseUrl: string;
  clickhouseDatabase: string;
  clickhouseUser: string;
  clickhousePassword: string;
}

/** Environment variables first; what they leave open comes from the `run.json` of a local stack, if there is one. */
export function loadConfig(runFile: string, env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({
    service: 'verifier',
    schema: configSchema,
    env: { ...fromRunFile(runFile), ...env },
    conflicts: (config) => [...kafkaConflicts(config), ...clickHouseCertificateConflicts(config)],
  });
}

function fromRunFile(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const run = JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  return {
    KAFKA_BROKERS: run.kafkaBrokers.join(','),
    CLICKHOUSE_URL: run.clickhouseUrl,
    CLICKHOUSE_DATABASE: run.clickhouseDatabase,
    CLICKHOUSE_USER: run.clickhouseUser,
    CLICKHOUSE_PASSWORD: run.clickhousePassword,
  };
}
