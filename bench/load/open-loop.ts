import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface OpenLoop {
  url: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  perSecond: number;
  seconds: number;
  /** Ends it before the seconds are over; what was sent still waits for its answer. */
  signal?: AbortSignal;
  /** The body of request `number`; `due` is when it should be sent, by performance.now(). */
  body(number: number, due: number): string;
  /** Headers that differ from request to request. */
  headersOf?(number: number): Readonly<Record<string, string>>;
}

export interface OpenLoopResult {
  /** By the status of the answer; `broken` for requests whose connection ended. */
  answers: Record<string, number>;
  /** From the moment at which each request was due, sorted. */
  latenciesMs: Float64Array;
}

interface Due {
  number: number;
  at: number;
}

/** Answers may still come so long after the last request. */
const LAST_ANSWERS_MS = 15_000;

/**
 * Sends at a steady rate, whether answers come or not. A request that finds every connection busy waits for one, and its
 * latency counts from when it was due: a stall of the server is not left out because nobody sent anything meanwhile
 * ("coordinated omission"). Requests leave up to 1 ms late, by Node's timers; that counts too.
 *
 * It speaks HTTP on plain sockets, because a client library would take as much CPU as the server that is measured.
 */
export async function runOpenLoop(load: OpenLoop): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(load.url);
  let total = Math.round(load.perSecond * load.seconds);
  const latencies = new Float64Array(total);
  const answers: Record<string, number> = {};
  const waiting: Due[] = [];
  const idle: Connection[] = [];
  const connections: Connection[] = [];
  let answered = 0;
  /** A connection that broke at the very end must not come back for ever. */
  let isOver = false as boolean;
  const allAnswered = Promise.withResolvers<undefined>();

  const common = headerLines({ host: `${hostname}:${port}`, ...load.headers });

  function finish(due: Due, answer: string): void {
    latencies[answered++] = performance.now() - due.at;
    answers[answer] = (answers[answer] ?? 0) + 1;
    if (answered === total) allAnswered.resolve(undefined);
  }

  function open(): Connection {
    const connection = new Connection(connect(Number(port), hostname), (due, answer) => {
      if (due !== undefined) finish(due, answer);
      if (isOver) return;
      if (answer === 'broken') connections[connections.indexOf(connection)] = open();
      else sendNext(connection);
    });
    return connection;
  }

  function sendNext(connection: Connection): void {
    const next = waiting.shift();
    if (next === undefined) {
      idle.push(connection);
      return;
    }
    const body = load.body(next.number, next.at);
    const length = Buffer.byteLength(body);
    const headers = common + headerLines(load.headersOf?.(next.number) ?? {});
    connection.send(next, `POST ${load.path} HTTP/1.1\r\n${headers}content-length: ${length}\r\n\r\n${body}`);
  }

  for (let i = 0; i < load.connections; i++) connections.push(open());
  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (; sent < total; sent++) {
      const at = begun + (sent / load.perSecond) * 1_000;
      if (at > now) break;
      waiting.push({ number: sent, at });
    }
    while (waiting.length > 0) {
      const connection = idle.pop();
      if (connection === undefined) break;
      if (connection.isOpen()) sendNext(connection);
    }
  }, 1);
  let deadline = setTimeout(() => allAnswered.resolve(undefined), load.seconds * 1_000 + LAST_ANSWERS_MS);
  load.signal?.addEventListener('abort', () => {
    total = sent;
    if (answered === total) allAnswered.resolve(undefined);
    clearTimeout(deadline);
    deadline = setTimeout(() => allAnswered.resolve(undefined), LAST_ANSWERS_MS);
  });
  await allAnswered.promise;
  clearInterval(timer);
  clearTimeout(deadline);
  isOver = true;
  for (const connection of connections) connection.close();
  if (answered < total) answers['none'] = total - answered;
  return { answers, latenciesMs: latencies.subarray(0, answered).sort() };
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** One request at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #onFree: (due: Due | undefined, answer: string) => void;
  #due: Due | undefined;
  #text = '';
  #closed = false;

  constructor(socket: Socket, onFree: (due: Due | undefined, answer: string) => void) {
    this.#socket = socket;
    this.#onFree = onFree;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('connect', () => onFree(undefined, 'connected'));
    socket.on('data', (text) => this.#read(String(text)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#closed) return;
      this.#closed = true;
      const due = this.#due;
      this.#due = undefined;
      // Not at once: a server that is away would be asked without a pause.
      setTimeout(() => onFree(due, 'broken'), 100);
    });
  }

  isOpen(): boolean {
    return !this.#closed;
  }

  send(due: Due, request: string): void {
    this.#due = due;
    this.#socket.write(request);
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const bodyStart = this.#text.indexOf('\r\n\r\n') + 4;
    if (bodyStart < 4) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#text.slice(0, bodyStart))?.[1] ?? 0);
    if (this.#text.length < bodyStart + length) return;
    const status = this.#text.slice(9, 12);
    const due = this.#due;
    this.#text = '';
    this.#due = undefined;
    if (due !== undefined) this.#onFree(due, status);
  }
}
