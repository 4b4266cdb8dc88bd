import { flag, integer, list, port, readConfig, secret, text, url } from '@cellarman/config';
import { CELLAR_PATTERN } from '@cellarman/reading';
import { telemetryVariables } from '@cellarman/telemetry';
import { certificateConflicts, tlsVariables } from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { parseLocalKey } from './local-keys.ts';
import { templateProblem } from './mqtt/topic-template.ts';

/** Every environment variable of the gateway; the source of `docs/configuration.md`. */
export const configSchema = Type.Object({
  HOST: text({ default: '127.0.0.1', description: 'The IP address to listen on, for HTTP and MQTT.' }),
  PORT: port({ default: 8090, description: 'The port of the HTTP API, status page, probes and metrics.' }),
  ...telemetryVariables,
  ...tlsVariables,
  SHUTDOWN_DEADLINE_MS: integer({
    minimum: 5_000,
    default: 15_000,
    description:
      'Deadline for a graceful stop, in milliseconds. Readings that are not sent by then stay in the spool.',
  }),

  INGEST_URL: url({ schemes: ['http', 'https'], description: 'The URL of ingest.' }),
  API_KEY: Type.Optional(secret({ description: 'The key of the gateway, with the scope ingest.' })),
  CLAIM_CODE: Type.Optional(
    secret({
      description:
        'A claim code for gateways, instead of API_KEY: the gateway claims its key and stores it beside the spool.',
    }),
  ),
  CLAIM_RACK_PREFIX: Type.Optional(
    text({ description: 'With CLAIM_CODE: the prefix of the racks that the gateway sends for.' }),
  ),
  CLAIM_URL: Type.Optional(
    url({
      schemes: ['http', 'https'],
      description: 'With CLAIM_CODE: the URL of key-service. By default it is INGEST_URL.',
    }),
  ),
  CELLAR: text({ pattern: CELLAR_PATTERN, description: 'The cellar of that key.' }),
  LOCAL_KEYS: list({
    description:
      'Keys of the devices: `NAME=HASH`, or `NAME/RACK-PREFIX=HASH`, separated by commas. `main.ts new-key NAME` makes one.',
  }),

  SPOOL_FILE: text({
    default: 'gateway.spool',
    description: 'The file of the spool. It must be on a disk that survives a restart.',
  }),
  SPOOL_MAX_BYTES: integer({
    minimum: 65_536,
    default: 1_073_741_824,
    description: 'Maximum size of the readings that wait in the spool, in bytes.',
  }),
  SPOOL_ON_FULL: Type.Union([Type.Literal('reject'), Type.Literal('drop-oldest')], {
    default: 'reject',
    description:
      'When the spool is full: `reject` responds 503 and closes MQTT connections, `drop-oldest` drops and counts.',
  }),
  SEND_ORDER: Type.Union([Type.Literal('put'), Type.Literal('fresh-first')], {
    default: 'put',
    description:
      'Order after an outage: as received, or new readings before the backlog, which gets half of the rate limit.',
  }),

  MQTT_ENABLED: flag({ default: true, description: 'Whether to accept MQTT.' }),
  MQTT_PORT: port({
    default: 1883,
    description: 'The port for MQTT 3.1.1 and 5. With TLS_CERT_FILE it accepts only TLS.',
  }),
  MQTT_TOPICS: list({
    default: ['{cellar}/{rack}/{keg}'],
    description:
      'Topic templates, separated by commas; the first that matches is used. `+` matches any level. Without `{cellar}` it is CELLAR; without `{keg}` each number of a JSON payload is a reading.',
  }),
  MQTT_VALUE_FIELD: text({ default: 'value', description: 'The field of a JSON payload with the value.' }),
  MQTT_TIMESTAMP_FIELD: text({
    default: 'timestamp',
    description: 'The field of a JSON payload with the time: ISO 8601, or milliseconds since 1970.',
  }),
  SPARKPLUG_RACK: Type.Optional(
    text({
      pattern: '\\{(?:node|device)\\}',
      description:
        'Accepts Sparkplug B, and names the rack: `{group}/{node}/{device}`, or a part of it. A slash before an empty `{device}` is omitted.',
    }),
  ),
  SPARKPLUG_KEGS: Type.Optional(
    list({
      description:
        'Kegs of Sparkplug metrics that are not to have the name of the metric: `METRIC=KEG`, separated by commas. `METRIC=` ignores the metric.',
    }),
  ),

  MAX_BATCH_BYTES: integer({
    minimum: 16_384,
    default: 4_194_304,
    description: 'Maximum size of the body of a batch, compressed and decompressed, in bytes.',
  }),
  MAX_CONNECTIONS: integer({
    minimum: 1,
    default: 1_000,
    description: 'Maximum number of open connections, for HTTP and for MQTT; further ones are closed.',
  }),
});

export type Config = Static<typeof configSchema>;

export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig({ service: 'gateway', schema: configSchema, env, conflicts });
}

function conflicts(config: Config): string[] {
  const problems = certificateConflicts(config, 'TLS');
  const claims = config.CLAIM_CODE !== undefined && config.CLAIM_RACK_PREFIX !== undefined;
  if ((config.API_KEY !== undefined) === claims)
    problems.push('Set either API_KEY, or CLAIM_CODE and CLAIM_RACK_PREFIX');
  for (const [index, entry] of config.LOCAL_KEYS.entries()) {
    // The entry itself is not shown: it may be a key that was not hashed.
    if (parseLocalKey(entry) === undefined)
      problems.push(`LOCAL_KEYS: entry ${index + 1} is not NAME=HASH or NAME/RACK-PREFIX=HASH`);
  }
  for (const entry of config.SPARKPLUG_KEGS ?? [])
    if (!/.=/.test(entry)) problems.push(`SPARKPLUG_KEGS: ${entry} is not METRIC=KEG`);
  for (const template of config.MQTT_TOPICS) {
    const problem = templateProblem(template);
    if (problem !== undefined) problems.push(`MQTT_TOPICS: ${template} ${problem}`);
  }
  return problems;
}
