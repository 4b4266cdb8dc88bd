import { INGEST_PATH } from '@cellarman/contracts';
import { inject } from 'vitest';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface SendOptions {
  apiKey?: string | undefined;
  contentType?: string | undefined;
  headers?: Record<string, string>;
  /** Of the route; that of single readings by default. */
  path?: string;
}

/** Posts a body as it is to a route that takes readings. */
export async function send(body: string | Buffer, options: SendOptions): Promise<Answer> {
  const { apiKey, contentType = 'application/json', headers = {}, path = INGEST_PATH } = options;
  const response = await fetch(inject('product').ingestUrl + path, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...headers,
    },
    // A text would get a content type of its own where none is wanted.
    body: new Uint8Array(Buffer.from(body as string)),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

/** Any request to the service of readings, for what is not a reading. */
export async function ask(path: string, options: RequestInit = {}): Promise<Answer> {
  const response = await fetch(inject('product').ingestUrl + path, options);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}
