import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasApiKeyFormat } from '@cellarman/api-key';
import { EXIT, Failure } from './failure.ts';

/** URLs and credentials of the services. A missing one is reported when a command needs it. */
export interface Settings {
  keyServiceUrl(): string;
  ingestUrl(): string;
  queryUrl(): string;
  /** The environment, with the brokers of the local stack where it names none. */
  kafkaEnvironment(): NodeJS.ProcessEnv;
  /** A service token, `cmt_…`. */
  token(): string;
  /** `cm_…` */
  apiKey(): string;
}

export const ENVIRONMENT_HELP = `
Environment:
  CELLARMAN_URL          URL of key-service, the same as of the dashboard
  CELLARMAN_TOKEN        service token (cmt_…), for cellars and keys
  CELLARMAN_INGEST_URL   URL of ingest, for send
  CELLARMAN_API_KEY      API key (cm_…), for send and, with the scope read, for latest
  CELLARMAN_QUERY_URL    URL of the query service (default: through CELLARMAN_URL)
  KAFKA_BROKERS          host:port, separated by commas, for tail and verify; also KAFKA_TLS,
                         KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD, as in the services
  CLICKHOUSE_URL         for verify, with CLICKHOUSE_DATABASE, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD

  CELLARMAN_ALLOW_HTTP   true: send secrets over http:// to other machines too

  CELLARMAN_TOKEN_FILE and CELLARMAN_API_KEY_FILE name a file that contains the secret instead.
  While the local stack runs (pnpm start), the defaults come from .local/run.json.
`;

/** The part of `run.json` that says where the local stack is. */
interface RunFile {
  keyServiceUrl?: string;
  ingestUrl?: string;
  queryUrl?: string;
  kafkaBrokers?: string[];
  demo?: { apiKey: string };
}

const RUN_FILE = resolve(import.meta.dirname, '../../../.local/run.json');

export function readSettings(env: NodeJS.ProcessEnv = process.env, runFile: string = RUN_FILE): Settings {
  const run = readRunFile(runFile);
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;

  function address(name: string, ofRun: string | undefined): string {
    const text = required(name, given(name) ?? ofRun);
    if (!/^https?:\/\/[^/]/.test(text) || !URL.canParse(text))
      throw wrong(`${name} must be a URL like https://cellarman.example.com, not ${text}`);
    if (!isConfidential(new URL(text)) && given('CELLARMAN_ALLOW_HTTP') !== 'true')
      throw wrong(
        `${name} is ${text}: secrets are sent only over https or to this machine. CELLARMAN_ALLOW_HTTP=true overrides this`,
      );
    return text.replace(/\/+$/, '');
  }

  function secret(name: string): string | undefined {
    const file = given(`${name}_FILE`);
    if (file === undefined || given(name) !== undefined) return given(name);
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (cause) {
      throw wrong(`${name}_FILE cannot be read: ${(cause as Error).message}`);
    }
  }

  return {
    keyServiceUrl: () => address('CELLARMAN_URL', run.keyServiceUrl),
    ingestUrl: () => address('CELLARMAN_INGEST_URL', run.ingestUrl),
    queryUrl: () =>
      given('CELLARMAN_QUERY_URL') === undefined && given('CELLARMAN_URL') !== undefined
        ? address('CELLARMAN_URL', undefined)
        : address('CELLARMAN_QUERY_URL', run.queryUrl ?? run.keyServiceUrl),
    kafkaEnvironment: () => ({ ...env, KAFKA_BROKERS: given('KAFKA_BROKERS') ?? run.kafkaBrokers?.join() }),
    token() {
      const token = required('CELLARMAN_TOKEN', secret('CELLARMAN_TOKEN'));
      if (/^cmt_[\x21-\x7E]+$/.test(token)) return token;
      throw wrong('CELLARMAN_TOKEN is not a service token: these start with cmt_');
    },
    apiKey() {
      const key = required('CELLARMAN_API_KEY', secret('CELLARMAN_API_KEY') ?? run.demo?.apiKey);
      if (hasApiKeyFormat(key)) return key;
      throw wrong('CELLARMAN_API_KEY is not an API key (cm_ and 36 letters and digits)');
    },
  };
}

/** Whether nobody on the way can read what is sent. */
function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function readRunFile(file: string): RunFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  } catch {
    return {};
  }
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw wrong(`the environment variable ${name} is not set (see cellarman --help)`);
}

function wrong(message: string): Failure {
  return new Failure(EXIT.usage, message);
}
