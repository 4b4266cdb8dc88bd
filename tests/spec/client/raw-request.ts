import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/**
 * Writes bytes to the service of readings, which no HTTP client would send, and reads until it closes the connection.
 *
 * @returns the answer as it came: status line, headers and body
 */
export async function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(inject('product').ingestUrl);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

/** The status and the JSON body of a raw answer. */
export function parseRaw(answer: string): { status: number; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}
