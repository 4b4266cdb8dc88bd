import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A client that sends exactly the given bytes, which no HTTP library would. */
export interface RawSocket {
  send(text: string | Buffer): void;
  /** All that came so far. */
  received(): string;
  /** Resolves with all that came when the server has closed the connection. */
  closed: Promise<string>;
  socket: Socket;
}

/** @param ca an authority as PEM: then it speaks TLS */
export async function openRawSocket(port: number, ca?: string): Promise<RawSocket> {
  const host = '127.0.0.1';
  const socket = ca === undefined ? connect(port, host) : connectTls({ port, host, ca });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The server may reset a connection that it rejects.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise<void>((resolve) => socket.once(ca === undefined ? 'connect' : 'secureConnect', resolve));
  return { send: (bytes) => void socket.write(bytes), received: () => text, closed, socket };
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Parses consecutive responses. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const length = Number(headers['content-length'] ?? 0);
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
