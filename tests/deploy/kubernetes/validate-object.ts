import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { KubernetesObject } from '../chart/rendered.ts';

/** Whether Kubernetes takes an object, field by field: `undefined` for kinds that are not its own. */
export type ValidateObject = (object: KubernetesObject) => string[] | undefined;

/** A field that is not known is a problem, as with `kubeconform -strict`. */
export async function createValidateObject(): Promise<ValidateObject> {
  const text = await readFile(join(import.meta.dirname, 'schemas.json'), 'utf8');
  const { kinds, definitions } = JSON.parse(text) as { kinds: Record<string, string>; definitions: object };
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'kubernetes', definitions });

  return (object) => {
    const definition = kinds[`${object.apiVersion} ${object.kind}`];
    if (definition === undefined) return undefined;
    const validate = ajv.getSchema(`kubernetes#/definitions/${definition}`);
    if (validate === undefined) throw new Error(`schemas.json has no ${definition}`);
    void validate(object);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${object.kind} ${object.metadata.name} ${instancePath}: ${message ?? ''} ${JSON.stringify(params)}`,
    );
  };
}
