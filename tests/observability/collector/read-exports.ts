import { readFile } from 'node:fs/promises';
import type { RunningCollector, Signal } from './start-collector.ts';

/* The part of OTLP's JSON that is looked at. */

interface Attribute {
  key: string;
  value: { stringValue?: string };
}
interface Resource {
  resource: { attributes: Attribute[] };
}
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links?: { traceId: string; spanId: string }[];
}
export interface LogRecord {
  severityText: string;
  traceId?: string;
  body?: { stringValue?: string };
}

/** What one service has sent, of everything that came so far. */
export interface Exports {
  spans: Map<string, Span[]>;
  /** Names of metrics. */
  metrics: Map<string, Set<string>>;
  logs: Map<string, LogRecord[]>;
}

export async function readExports(collector: RunningCollector): Promise<Exports> {
  const spans = new Map<string, Span[]>();
  for (const part of await parts<{ scopeSpans: { spans: Span[] }[] }>(collector, 'traces'))
    for (const scope of part.scopeSpans) add(spans, part, scope.spans);

  const named = new Map<string, string[]>();
  for (const part of await parts<{ scopeMetrics: { metrics: { name: string }[] }[] }>(collector, 'metrics'))
    for (const scope of part.scopeMetrics)
      add(
        named,
        part,
        scope.metrics.map(({ name }) => name),
      );
  const metrics = new Map([...named].map(([service, names]) => [service, new Set(names)]));

  const logs = new Map<string, LogRecord[]>();
  for (const part of await parts<{ scopeLogs: { logRecords: LogRecord[] }[] }>(collector, 'logs'))
    for (const scope of part.scopeLogs) add(logs, part, scope.logRecords);
  return { spans, metrics, logs };
}

/** The last line may be half written. */
async function parts<Content>(collector: RunningCollector, signal: Signal): Promise<(Resource & Content)[]> {
  const text = await readFile(collector.fileOf(signal), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => Object.values(JSON.parse(line) as Record<string, (Resource & Content)[]>).flat());
}

function add<Item>(all: Map<string, Item[]>, { resource }: Resource, items: Item[]): void {
  const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
  all.set(service, [...(all.get(service) ?? []), ...items]);
}
