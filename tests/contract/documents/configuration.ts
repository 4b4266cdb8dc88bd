import type { TObject, TSchema } from '@sinclair/typebox';
import { configSchema as canary } from '../../../services/canary/src/config.ts';
import { configSchema as gateway } from '../../../services/gateway/src/config.ts';
import { configSchema as ingest } from '../../../services/ingest/src/config.ts';
import { configSchema as keyService } from '../../../services/key-service/src/config.ts';
import { configSchema as query } from '../../../services/query/src/config.ts';
import { configSchema as sink } from '../../../services/sink/src/config.ts';
import { configSchema as verifier } from '../../../tools/verifier/src/config.ts';

/** `docs/configuration.md` */
export function configurationPage(): string {
  const sections = Object.entries({
    ingest,
    'key-service': keyService,
    query,
    sink,
    canary,
    gateway,
    verifier,
  }).map(([service, schema]) => `## ${service}\n\n${variables(schema)}`);
  return `# Configuration

> Generated from the \`src/config.ts\` of each service and tool. Change it there and run \`pnpm generate\`.

All settings are environment variables. They are validated at startup, and one message lists every problem.
\`npx -y pnpm@12 exec node services/ingest/src/main.ts --check-config\` validates them and exits. An empty variable counts as not set.
Secrets can be read from files: \`INTERNAL_TOKEN_FILE=/run/secrets/token\` sets \`INTERNAL_TOKEN\`, and so on.
Variables of the OpenTelemetry SDK that are not listed here, such as \`OTEL_EXPORTER_OTLP_HEADERS\` and
\`OTEL_RESOURCE_ATTRIBUTES\`, are read by the SDK itself.

${sections.join('\n\n')}
`;
}

type Variable = TSchema & { secret?: boolean; separator?: string };

function variables(schema: TObject): string {
  const rows = Object.entries(schema.properties as Record<string, Variable>).map(([name, variable]) => {
    const about = [variable.description ?? '', allowed(variable), variable.secret === true ? 'Secret.' : ''];
    const required = schema.required?.includes(name) === true && variable.default === undefined;
    return `| \`${name}\` | ${required ? '**required**' : preset(variable)} | ${about.filter(Boolean).join(' ')} |`;
  });
  return `| variable | default | meaning |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function preset({ default: value, separator }: Variable): string {
  const text = Array.isArray(value) ? value.join(separator) : value === undefined ? '' : String(value);
  return text === '' ? '' : `\`${text}\``;
}

/** The bounds of a number and the values of a choice. */
function allowed({ anyOf, minimum, maximum }: Variable): string {
  if (Array.isArray(anyOf))
    return `One of ${anyOf.map((choice: TSchema) => `\`${String(choice['const'])}\``).join(', ')}.`;
  if (minimum !== undefined && maximum !== undefined) return `${String(minimum)} to ${String(maximum)}.`;
  if (minimum !== undefined) return `At least ${String(minimum)}.`;
  if (maximum !== undefined) return `At most ${String(maximum)}.`;
  return '';
}
