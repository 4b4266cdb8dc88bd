import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

const options = { allErrors: false, useDefaults: true, strict: true, strictTypes: false } as const;

/**
 * Validates bodies without coercion: `"7"` is not a number, and an unknown field is rejected, not dropped. Path and query
 * parameters are text and become the numbers that their schemas require.
 */
export function validateStrictly(app: FastifyInstance): void {
  const strict = new Ajv({ ...options, coerceTypes: false });
  const coercing = new Ajv({ ...options, coerceTypes: true });
  for (const ajv of [strict, coercing]) {
    formats.default(ajv, ['date-time', 'uuid']);
    ajv.addVocabulary(['example']);
  }
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return strict.compile(schema as object);
    const validate = coercing.compile(schema as object);
    const names = wholeNumbersOf(schema as Schema);
    return (given: Record<string, unknown>) => {
      const wrong = names.find((name) => typeof given[name] === 'string' && !WHOLE_NUMBER.test(given[name]));
      if (wrong !== undefined) return { error: [notWhole(wrong)] };
      return validate(given) ? { value: given } : { error: validate.errors ?? [] };
    };
  });
}

/** Ajv alone would also take `0x10`, `1e1`, `5.0` and a space before it. */
const WHOLE_NUMBER = /^-?(0|[1-9]\d*)$/;

interface Schema {
  properties?: Record<string, { type?: string }>;
}

function wholeNumbersOf({ properties = {} }: Schema): string[] {
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}

/** As Ajv reports it. */
function notWhole(name: string) {
  return {
    keyword: 'type',
    instancePath: `/${name}`,
    schemaPath: `#/properties/${name}/type`,
    params: { type: 'integer' },
    message: 'must be integer',
  };
}
