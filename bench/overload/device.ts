import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface Answer {
  status: number;
  /** 0 when the answer has none. */
  retryAfterSeconds: number;
}

export interface DeviceOptions {
  host: string;
  port: number;
  /** Where it connects from: one address has about 28,000 ports. */
  localAddress?: string;
  onAnswer: (device: Device, answer: Answer) => void;
  /** The connection broke or was closed without an answer to what it had sent. It connects again by itself. */
  onBroken: (device: Device) => void;
}

/** One keep-alive connection with at most one request on the way, on a bare socket: an HTTP client would cost more. */
export class Device {
  dueMs = 0;
  sentMs = 0;
  #socket: Socket | undefined;
  #waiting = false;
  #text = '';
  #closed = false;
  readonly #options: DeviceOptions;

  constructor(options: DeviceOptions) {
    this.#options = options;
  }

  connect(): Promise<void> {
    const { host, port, localAddress } = this.#options;
    return new Promise((resolve) => {
      const socket = connect({
        host,
        port,
        noDelay: true,
        ...(localAddress !== undefined && { localAddress }),
      });
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
    this.#waiting = true;
    if (this.#socket === undefined) void this.connect().then(() => this.#socket?.write(request));
    else this.#socket.write(request);
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  #read(chunk: string): void {
    this.#text += chunk;
    const answer = parseAnswer(this.#text);
    if (answer === undefined) return;
    this.#text = '';
    this.#waiting = false;
    this.#options.onAnswer(this, answer);
  }

  #ended(socket: Socket): void {
    if (this.#socket === socket) this.#socket = undefined;
    this.#text = '';
    if (!this.#waiting || this.#closed) return;
    this.#waiting = false;
    this.#options.onBroken(this);
  }
}

/** undefined: it is not complete yet. */
function parseAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end).toLowerCase();
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  const retryAfter = /\r\nretry-after: (\d+)/.exec(head)?.[1];
  return { status: Number(head.slice(9, 12)), retryAfterSeconds: Number(retryAfter ?? 0) };
}
