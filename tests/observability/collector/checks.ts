import type { RunFile } from '@cellarman/local-stack';
import type { Exports } from './read-exports.ts';

export interface Check {
  what: string;
  /** What is wrong so far, or an empty text. */
  problem(exports: Exports | undefined): string;
}

const SERVICES = ['ingest', 'key-service', 'sink', 'query', 'canary'];

export function checks({ run, traceId }: { run: RunFile; traceId: string }): Check[] {
  return [
    {
      what: 'the trace of a reading goes from its request through the topic to its insert',
      problem: (exports) => {
        const ingested = exports?.spans.get('ingest')?.find((span) => span.traceId === traceId);
        if (ingested === undefined) return 'no span of ingest';
        if (ingested.parentSpanId !== traceId.slice(16)) return 'it does not go on from the client';
        // The sink knows it by the headers of the message alone.
        const isLinked = exports?.spans
          .get('sink')
          ?.some(({ links }) =>
            links?.some((link) => link.traceId === traceId && link.spanId === ingested.spanId),
          );
        return isLinked === true ? '' : 'no insert links to it';
      },
    },
    ...SERVICES.map((service) => ({
      what: `metrics of ${service}`,
      problem: (exports: Exports | undefined) => {
        const names = [...(exports?.metrics.get(service) ?? [])];
        const own = `cellarman_${service.replace('-', '_')}_`;
        if (!names.includes('process_resident_memory_bytes')) return 'none of its process';
        return names.some((name) => name.startsWith(own)) ? '' : `no ${own}*`;
      },
    })),
    ...SERVICES.map((service) => ({
      what: `logs of ${service}`,
      problem: (exports: Exports | undefined) => {
        const records = exports?.logs.get(service) ?? [];
        return records.some(({ severityText, body }) => severityText === 'info' && body?.stringValue !== '')
          ? ''
          : 'none';
      },
    })),
    {
      what: 'no secret is in what was sent',
      problem: (exports) => {
        if (exports === undefined) return 'nothing was sent';
        const secrets = [run.demo.apiKey, run.admin.password, new URL(run.databaseUrl).password];
        const sent = JSON.stringify([...exports.logs, ...exports.spans]);
        const found = secrets.filter((secret) => secret !== '' && sent.includes(secret));
        return found.length === 0 ? '' : `${found.length} of ${secrets.length}`;
      },
    },
  ];
}
