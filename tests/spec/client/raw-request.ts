import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/**
 * Sends bytes to ingest that no HTTP client would send, and reads until it closes the connection.
 *
 * @returns the response as it came: status line, headers and body
 */
export async function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(inject('product').ingestUrl);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

/** Returns the status and the JSON body of a raw response. */
export function parseRaw(answer: string): { status: number; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}
