import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { Resource } from '@opentelemetry/resources';

/** Whose logs, metrics and traces these are: the service, this replica of it, and what OTEL_RESOURCE_ATTRIBUTES adds. */
export function describeProcess(service: string, version: string): Resource {
  return defaultResource()
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
    .merge(
      resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
    );
}
