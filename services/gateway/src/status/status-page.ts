import type { ClientStatus } from '@cellarman/client';
import { ageSeconds } from './metrics.ts';
import type { Counts } from './metrics.ts';

const STATES = {
  idle: 'Everything is sent',
  sending: 'Sending',
  waiting: 'Waiting for the next attempt',
  blocked: 'Blocked: needs a person',
};

/** Returns the page of the gateway: counts and the last error, no readings and no keys. */
export function statusPage(status: ClientStatus, counts: Counts, cellar: string): string {
  const { lastError, state } = status;
  const rows: [string, string | number][] = [
    ['State', STATES[state]],
    ['Oldest reading', status.oldestAt === null ? 'none' : `${duration(ageSeconds(status.oldestAt))} old`],
    ['Waiting', `${status.waiting.toLocaleString('en')} readings, ${megabytes(status.bytes)}`],
    ['Sent', status.sent],
    ['Rejected by ingest', `${status.rejected.toLocaleString('en')}, ${status.setAside} kept in the spool`],
    ['Dropped', status.dropped],
    ['Last batch stored', status.lastSuccessAt ?? 'none since the start'],
    ['Last error', lastError === null ? 'none' : `${lastError.at} ${lastError.code}: ${lastError.message}`],
    ['Received over HTTP', received(counts.http)],
    ['Received over MQTT', received(counts.mqtt)],
  ];
  const body = rows.map(([name, value]) => {
    const text = typeof value === 'number' ? value.toLocaleString('en') : value;
    return `<tr><th scope="row">${name}</th><td>${escaped(text)}</td></tr>`;
  });
  const tone = state === 'blocked' ? 'bad' : state === 'waiting' ? 'warn' : 'good';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Gateway: ${escaped(STATES[state])}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem; border-left: .4rem solid; padding-left: .6rem }
h1.good { border-color: #2e8b57 } h1.warn { border-color: #d98c00 } h1.bad { border-color: #d03030 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid #8884 }
th { font-weight: 500; width: 11rem } td { overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
</style>
<h1 class="${tone}">Cellarman gateway, cellar ${escaped(cellar)}</h1>
<table>${body.join('\n')}</table>
<p>Sent, rejected and dropped count since the spool was created, received since the start.
<a href="/metrics">Metrics</a> · <a href="/readyz">Readiness</a></p>
</html>
`;
}

function received({ queued, rejected, unavailable }: Counts['http']): string {
  return `${queued.value.toLocaleString('en')} queued, ${rejected.value} rejected, ${unavailable.value} not accepted`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
