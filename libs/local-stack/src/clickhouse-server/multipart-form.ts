import type { IncomingMessage } from 'node:http';
import { ClickHouseException } from './clickhouse-exception.ts';

/** The fields of a `multipart/form-data` body, in which clients put long query parameters. */
export async function readForm(
  request: IncomingMessage,
  body: Buffer,
): Promise<[name: string, value: string][] | undefined> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return undefined;
  const form = await parse(contentType, body);
  return [...form].map(([name, value]) => {
    if (typeof value === 'string') return [name, value];
    throw ClickHouseException.refuse('NOT_IMPLEMENTED', 'External tables are not offered here');
  });
}

async function parse(contentType: string, body: Buffer): Promise<FormData> {
  try {
    const response = new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    });
    // Deprecated for bodies of unknown size; this one is read already, and bounded.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return await response.formData();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw ClickHouseException.refuse('BAD_ARGUMENTS', `Cannot read the multipart body: ${reason}`);
  }
}
