import { connect } from 'node:net';
import { createForger } from './forge.ts';
import type { Forgery } from './forge.ts';

export interface AttackOptions {
  /** Origins of ingest; the keys are spread over them. */
  urls: readonly string[];
  /** A key that works, which some forgeries resemble. */
  goodKey: string;
  cellar: string;
  count: number;
  /** Connections at a time. */
  connections: number;
}

export interface AttackResult {
  sent: Record<Forgery, number>;
  /** By status, or by the error of a connection that got no response. */
  answers: Record<string, number>;
  /** Forged keys with a 2xx response, or that were treated as a known key. None, or the product is broken. */
  accepted: string[];
}

/** 401: the key is invalid. 503: that is unknown at the moment. Every other response follows the acceptance of a key. */
const REJECTED = new Set([401, 503]);
const ANSWER_WITHIN_MS = 20_000;

/**
 * Sends readings with forged keys as fast as they are rejected, over raw sockets, a connection for each: after a 401 ingest
 * closes it.
 *
 * It stops early when ingest cannot be reached at all.
 */
export async function attack(options: AttackOptions): Promise<AttackResult> {
  const { urls, cellar, count } = options;
  const targets = urls.map((url) => new URL(url));
  const forge = createForger(options.goodKey);
  const body = JSON.stringify({
    cellar,
    rack: 'forged',
    keg: 'temperature',
    value: 1,
    timestamp: new Date().toISOString(),
  });
  const result: AttackResult = {
    sent: { 'right checksum': 0, 'wrong checksum': 0, odd: 0 },
    answers: {},
    accepted: [],
  };
  let started = 0;
  let failuresInARow = 0;

  async function attackers(): Promise<void> {
    while (started < count && failuresInARow < 1_000) {
      const number = started++;
      const { kind, key } = forge();
      const target = targets[number % targets.length] as URL;
      const answer = await post(target, key, body);
      result.sent[kind] += 1;
      result.answers[answer] = (result.answers[answer] ?? 0) + 1;
      failuresInARow = typeof answer === 'number' ? 0 : failuresInARow + 1;
      if (typeof answer === 'number' && !REJECTED.has(answer))
        result.accepted.push(`${answer} ${kind} ${key}`);
    }
  }

  await Promise.all(Array.from({ length: options.connections }, attackers));
  return result;
}

/** Returns the status of the response, or the code of the error. */
function post({ hostname, port, host }: URL, key: string, body: string): Promise<number | string> {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true });
    const end = (answer: number | string) => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => end('no answer'));
    socket.once('data', (chunk) => end(Number(chunk.toString('latin1', 9, 12))));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'failed'));
    socket.once('close', () => end('closed'));
    socket.write(
      `POST /api/v1/ingest HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}
