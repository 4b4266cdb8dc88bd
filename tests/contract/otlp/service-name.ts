import { fields } from './wire-format.ts';

/* Numbers of fields, from opentelemetry/proto/resource/v1 and common/v1. They never change. */
const RESOURCE = { attributes: 1 };
const ATTRIBUTE = { key: 1, value: 2, text: 1 };

/** What a resource is called. */
export function serviceName(resource: Buffer): string {
  const attribute = fields(resource)
    .all(RESOURCE.attributes)
    .map(fields)
    .find((parts) => parts.one(ATTRIBUTE.key).toString() === 'service.name');
  return attribute === undefined ? '' : fields(attribute.one(ATTRIBUTE.value)).one(ATTRIBUTE.text).toString();
}
