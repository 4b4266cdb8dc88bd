import { serviceName } from './service-name.ts';
import { fields } from './wire-format.ts';

/* Numbers of fields that exports of spans, metrics and logs have in common. They never change. */
const OF_ONE_SERVICE = 1;
const RESOURCE = 1;

/** The services that one export over OTLP/HTTP is from, of whatever it holds. */
export function readServices(request: Buffer): string[] {
  return fields(request)
    .all(OF_ONE_SERVICE)
    .map((part) => serviceName(fields(part).one(RESOURCE)));
}
