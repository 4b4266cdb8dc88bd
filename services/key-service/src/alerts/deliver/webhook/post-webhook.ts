import type { LookupAddress } from 'node:dns';
import { Agent, request } from 'undici';
import { DeliveryError } from '../delivery-error.ts';

export interface WebhookPost {
  url: URL;
  /** Where the host was resolved to. Nothing else is connected to. */
  addresses: readonly [LookupAddress, ...LookupAddress[]];
  headers: Record<string, string>;
  body: string;
}

/** For the whole attempt: shorter than the claim in the outbox. */
const DEADLINE_MS = 10_000;
const CONNECT_MS = 3_000;
/** Nothing in the response but its status matters. */
const MAX_RESPONSE_BYTES = 4_096;

/**
 * Posts once, without following redirects.
 *
 * @throws {DeliveryError} unless the response is 2xx
 */
export async function postWebhook({ url, addresses, headers, body }: WebhookPost): Promise<void> {
  const agent = new Agent({
    connections: 1,
    pipelining: 0,
    maxHeaderSize: MAX_RESPONSE_BYTES,
    headersTimeout: DEADLINE_MS,
    bodyTimeout: DEADLINE_MS,
    connect: {
      timeout: CONNECT_MS,
      // In place of DNS, so that the host is not resolved again. Certificates are still checked for the name in the URL.
      lookup: (_host, { all }, found) => {
        const [first] = addresses;
        if (all === true) found(null, [...addresses]);
        else found(null, first.address, first.family);
      },
    },
  });
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Cellarman', ...headers },
      body,
      dispatcher: agent,
      signal: AbortSignal.timeout(DEADLINE_MS),
    }).catch((cause: unknown) => {
      throw new DeliveryError(describe(cause), { cause });
    });
    // So that a small response ends before its connection is closed; of a large one nothing more is read.
    await response.body
      .dump({ limit: MAX_RESPONSE_BYTES, signal: AbortSignal.timeout(CONNECT_MS) })
      .catch(() => undefined);
    const { statusCode } = response;
    if (statusCode >= 300 && statusCode < 400) {
      throw new DeliveryError(`The webhook returned HTTP ${statusCode}. Redirects are not followed.`);
    }
    if (statusCode < 200 || statusCode >= 300) {
      throw new DeliveryError(`The webhook returned HTTP ${statusCode}`);
    }
  } finally {
    await agent.destroy();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection to the webhook was refused',
  ECONNRESET: 'The webhook closed the connection',
  UND_ERR_SOCKET: 'The webhook closed the connection',
  UND_ERR_CONNECT_TIMEOUT: 'The connection to the webhook timed out',
  UND_ERR_HEADERS_TIMEOUT: 'The webhook did not respond in time',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response were too large',
};

function describe(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  if (name === 'TimeoutError') return 'The webhook did not respond in time';
  const known = REASONS[code ?? ''];
  if (known !== undefined) return known;
  return /CERT|TLS|SSL/.test(code ?? '')
    ? 'The TLS certificate of the webhook is not valid'
    : 'The webhook cannot be reached';
}
