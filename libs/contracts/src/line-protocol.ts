import { Type } from '@sinclair/typebox';
import { batchErrorSchema } from './batch.ts';
import { ERROR_CODES } from './errors.ts';

/** The write API of InfluxDB 2, and that of InfluxDB 1. */
export const WRITE_PATH = '/api/v2/write';
export const WRITE_V1_PATH = '/write';
export const WRITE_PATHS = [WRITE_PATH, WRITE_V1_PATH];

/** How the keg of a field is named when the cellar has no rule of its own. */
export const DEFAULT_LINE_PROTOCOL_KEG = '{measurement}.{field}{tags}';
export const lineProtocolKegSchema = Type.String({
  pattern: String.raw`^(?=.*\{field\})(?:[^\u0000-\u001f\u007f{}]|\{(?:measurement|field|tags|tag:[^\u0000-\u001f\u007f{}]+)\})*$`,
  maxLength: 256,
  description:
    'The keg of a field of InfluxDB line protocol: text with `{field}` and, if wanted, `{measurement}`, `{tag:NAME}` for one tag, and `{tags}` for all others, each as `,name=value`.',
});

/** Errors of these routes, in the format of InfluxDB. */
export const writeErrorSchema = Type.Object(
  {
    code: Type.Union(ERROR_CODES.map((code) => Type.Literal(code))),
    message: Type.String({ description: 'The error message for people.' }),
  },
  { title: 'WriteError', additionalProperties: false },
);

/** Readings that were rejected permanently. All others are stored. */
export const writePartialSchema = Type.Object(
  {
    ...writeErrorSchema.properties,
    accepted: Type.Integer({ minimum: 0, description: 'How many readings are stored.' }),
    rejected: Type.Integer({ minimum: 1, description: 'How many are not: one for each of `errors`.' }),
    timestamp: Type.String({ description: 'When the lines were received, by the clock of the server.' }),
    errors: Type.Array(batchErrorSchema, {
      description: '`index` is that of the line, among those that are neither empty nor comments.',
    }),
  },
  { title: 'WritePartial', additionalProperties: false },
);
