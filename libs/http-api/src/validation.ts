import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

const options = { allErrors: false, useDefaults: true, strict: true, strictTypes: false } as const;

/**
 * A body is taken as it is: `"7"` is not a number, and an unknown field is refused, not dropped. Only what stands in
 * the address is text by nature, and becomes the number that its schema says.
 */
export function validateStrictly(app: FastifyInstance): void {
  const asGiven = new Ajv({ ...options, coerceTypes: false });
  const fromText = new Ajv({ ...options, coerceTypes: true });
  for (const ajv of [asGiven, fromText]) {
    formats.default(ajv, ['date-time', 'uuid']);
    ajv.addVocabulary(['example']);
  }
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? asGiven : fromText).compile(schema as object),
  );
}
