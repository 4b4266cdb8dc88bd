import type { RunFile } from '@cellarman/local-stack';

export interface Sent {
  status: number;
  body: unknown;
}

/** Posts one reading, as a rack would. */
export async function sendReading(
  { ingestUrl }: RunFile,
  reading: { cellar: string; apiKey: string; rack?: string; value?: number; timestamp?: string },
): Promise<Sent> {
  const { cellar, apiKey, rack = 'rack-1', value = 11.4, timestamp = new Date().toISOString() } = reading;
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({
      ...{ cellar, rack, keg: 'temperature', value, timestamp },
    }),
  });
  return { status: answer.status, body: await answer.json() };
}
