import { Type } from '@sinclair/typebox';
import type { TObject, TProperties, TSchema } from '@sinclair/typebox';

/** An object that has exactly these fields. Helm fills in the defaults first, so that none may be missing. */
export function closed<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** Any of these fields, and no other. */
export function given(fields: Record<string, object>): TSchema {
  return Type.Unsafe({ type: 'object', properties: fields, additionalProperties: false });
}

export const name = Type.String({ pattern: '^$|^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$' });
export const count = (minimum = 0) => Type.Integer({ minimum });
export const seconds = count();
const ports = (minItems = 1) => Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { minItems });
export const texts = Type.Array(Type.String({ minLength: 1 }));
/** Labels and annotations. */
export const marks = Type.Record(Type.String(), Type.String());
/** What Kubernetes checks by itself, and better. */
export const anything = Type.Object({});
export const things = Type.Array(anything);

export const secretKey = (isRequired: boolean): TSchema =>
  closed({
    name: isRequired ? Type.String({ minLength: 1, pattern: name.pattern ?? '' }) : name,
    key: Type.String({ minLength: 1 }),
  });

export const resources = closed({
  requests: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  limits: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
});

export const host = Type.String({ pattern: '^$|^[a-z0-9.-]+$' });
export const peers = closed({ to: things, ports: ports() });
/** Ports that can be derived from a URL instead. */
export const derivedPeers = closed({ to: things, ports: ports(0) });
