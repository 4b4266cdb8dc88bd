import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import type { KubernetesObject } from '../chart/rendered.ts';

/** Whether Kubernetes, or the operator whose kind it is, takes an object, field by field: `undefined` for unknown kinds. */
export type ValidateObject = (object: KubernetesObject) => string[] | undefined;

/** A field that is not known is a problem, as with `kubeconform -strict`. */
export async function createValidateObject(): Promise<ValidateObject> {
  const text = await readFile(join(import.meta.dirname, 'schemas.json'), 'utf8');
  const { kinds, definitions } = JSON.parse(text) as { kinds: Record<string, string>; definitions: object };
  const crds = await readFile(join(import.meta.dirname, 'crds.json'), 'utf8');
  const { kinds: extensions } = JSON.parse(crds) as { kinds: Record<string, object> };
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'kubernetes', definitions });

  return (object) => {
    const validate = validatorOf(`${object.apiVersion} ${object.kind}`);
    if (validate === undefined) return undefined;
    void validate(object);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${object.kind} ${object.metadata.name} ${instancePath}: ${message ?? ''} ${JSON.stringify(params)}`,
    );
  };

  function validatorOf(kind: string): ValidateFunction | undefined {
    const extension = extensions[kind];
    // Ajv compiles the same schema once.
    if (extension !== undefined) return ajv.compile(extension);
    const definition = kinds[kind];
    if (definition === undefined) return undefined;
    const validate = ajv.getSchema(`kubernetes#/definitions/${definition}`);
    if (validate === undefined) throw new Error(`schemas.json has no ${definition}`);
    return validate;
  }
}
