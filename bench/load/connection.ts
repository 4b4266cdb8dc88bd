import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Response {
  status: number;
  /** 0 without the header. */
  retryAfterSeconds: number;
}

export interface ConnectionOptions {
  /** Origin of the service. */
  url: string;
  onResponse: (connection: Connection, response: Response) => void;
  /** The connection was closed before the response. It is opened again for the next request. */
  onBroken: (connection: Connection) => void;
}

/** One keep-alive connection with at most one pending request, on a bare socket: an HTTP client would cost more CPU. */
export class Connection {
  dueMs = 0;
  sentMs = 0;
  #socket: Socket | undefined;
  #pending = false;
  #text = '';
  #closed = false;
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Resolves also when the connection fails. */
  open(): Promise<void> {
    const { hostname, port } = new URL(this.#options.url);
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      this.#socket = socket;
      socket.once('connect', resolve);
      socket.on('data', (chunk) => this.#read(chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.once('close', () => {
        resolve();
        this.#ended(socket);
      });
    });
  }

  send(request: Buffer, dueMs: number): void {
    this.dueMs = dueMs;
    this.sentMs = performance.now();
    this.#pending = true;
    if (this.#socket === undefined) void this.open().then(() => this.#socket?.write(request));
    else this.#socket.write(request);
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  #read(chunk: string): void {
    this.#text += chunk;
    const response = parseResponse(this.#text);
    if (response === undefined) return;
    this.#text = '';
    this.#pending = false;
    this.#options.onResponse(this, response);
  }

  #ended(socket: Socket): void {
    if (this.#socket === socket) this.#socket = undefined;
    this.#text = '';
    if (!this.#pending || this.#closed) return;
    this.#pending = false;
    this.#options.onBroken(this);
  }
}

/** Returns undefined while the response is incomplete. */
function parseResponse(text: string): Response | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end).toLowerCase();
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  const retryAfter = /\r\nretry-after: (\d+)/.exec(head)?.[1];
  return { status: Number(head.slice(9, 12)), retryAfterSeconds: Number(retryAfter ?? 0) };
}
