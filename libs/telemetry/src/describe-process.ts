import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import type { Resource } from '@opentelemetry/resources';

/** Whose logs, metrics and traces these are: the service and this replica of it, unless OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say otherwise. */
export function describeProcess(service: string, version: string): Resource {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }));
}
