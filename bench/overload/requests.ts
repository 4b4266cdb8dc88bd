/** What a client sends. All but `reading` are refused. */
export type RequestKind =
  | 'reading'
  | 'bad JSON'
  | 'one in a hundred bad JSON'
  | 'wrong content type'
  | 'oversize body'
  | 'unknown keys';

export interface RequestOptions {
  url: string;
  apiKey: string;
  cellar: string;
  kind: RequestKind;
}

const RACKS = 1_000;
const OVERSIZE_BYTES = 20_000;

/** Whole requests as bytes, made once: the generator has little of the machine. */
export function requestBytes(options: RequestOptions, count: number): Buffer[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify({
      cellar: options.cellar,
      rack: `rack-${(index % RACKS) + 1}`,
      keg: 'temperature',
      value: Math.round(Math.random() * 1e6) / 1e4,
      timestamp: new Date(now - index * 7).toISOString(),
    });
    return request(options, index, body);
  });
}

function request({ url, apiKey, kind }: RequestOptions, index: number, body: string): Buffer {
  const { host } = new URL(url);
  switch (kind) {
    case 'reading':
      return post(host, apiKey, body);
    case 'bad JSON':
      return post(host, apiKey, body.slice(0, -1));
    case 'one in a hundred bad JSON':
      return post(host, apiKey, index % 100 === 0 ? body.slice(0, -1) : body);
    case 'wrong content type':
      return post(host, apiKey, body, 'text/plain');
    case 'oversize body':
      return post(host, apiKey, `"${'x'.repeat(OVERSIZE_BYTES)}"`);
    case 'unknown keys':
      return post(host, unknownKey(apiKey, index), body);
  }
}

/** Keeps the length; the checksum does not fit. */
function unknownKey(apiKey: string, index: number): string {
  const digits = String(index);
  return apiKey.slice(0, -digits.length) + digits;
}

function post(host: string, apiKey: string, body: string, contentType = 'application/json'): Buffer {
  return Buffer.from(
    `POST /api/v1/ingest HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${apiKey}\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
