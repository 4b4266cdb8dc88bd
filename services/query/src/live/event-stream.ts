import { Readable } from 'node:stream';

/** Keeps proxies from closing the connection, which they do after a minute or so without a byte. */
const HEARTBEAT_MS = 15_000;
/** Clients that the server disconnects reconnect after a jittered delay in this range. */
const RECONNECT_MS = { least: 1_000, most: 5_000 };

export interface EventStream {
  body: Readable;
  /** Calls `next` when the client has taken what was sent before, and has not returned undefined since. */
  wake(): void;
  /** Ends the stream and has the client reconnect. */
  end(): void;
}

export interface ServerSentEvent {
  event: string;
  id: string;
  data: object;
}

/**
 * Server-Sent Events, pulled by the client: while it reads slowly, nothing is queued here but one event, and `next` merges what
 * came meanwhile.
 *
 * @param next returns what is to be sent now, if anything
 */
export function createEventStream(next: () => ServerSentEvent | undefined): EventStream {
  let isWanted = false;
  const body = new Readable({
    // One event at a time: what is not taken is merged, not queued.
    highWaterMark: 1,
    read() {
      isWanted = true;
      wake();
    },
    destroy(error, done) {
      clearInterval(heartbeat);
      done(error);
    },
  });
  const heartbeat = setInterval(() => {
    if (isWanted) send(':\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();
  send(retry());

  function send(text: string): void {
    isWanted = body.push(text);
  }

  function wake(): void {
    if (!isWanted || body.destroyed) return;
    const event = next();
    if (event !== undefined) send(write(event));
  }

  return {
    body,
    wake,
    end() {
      if (body.destroyed || body.readableEnded) return;
      clearInterval(heartbeat);
      isWanted = false;
      body.push(retry());
      body.push(null);
    },
  };
}

function write({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

function retry(): string {
  const { least, most } = RECONNECT_MS;
  return `retry: ${Math.round(least + Math.random() * (most - least))}\n\n`;
}
