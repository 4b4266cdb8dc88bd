import { expectDocumentedResponse } from '../ingest-app.ts';

export interface WriteError {
  code: string;
  message: string;
  accepted?: number;
  rejected?: number;
  errors?: { index: number; error: string; code: string; retryable: boolean }[];
}

export interface WriteAnswer {
  status: number;
  headers: Headers;
  /** Undefined for 204. */
  error: WriteError | undefined;
}

/** Sends a body as a client of InfluxDB does. */
export async function sendLines(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
  path = '/api/v2/write?org=any&bucket=demo',
): Promise<WriteAnswer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body,
  });
  await expectDocumentedResponse(response.clone());
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    error: text === '' ? undefined : (JSON.parse(text) as WriteError),
  };
}

/** In a text of line protocol. */
export function escapeName(name: string): string {
  return name.replaceAll(/[, =]/g, (character) => `\\${character}`);
}
