import { setTimeout as delay } from 'node:timers/promises';

/** What the Live page requests besides its stream: a path below `/api/v1`, and every how many milliseconds. */
const polls = (cellar: string): [path: string, everyMs: number][] => [
  [`cellars/${cellar}/rejections/minutes?minutes=15&limit=50`, 30_000],
  ['pipeline/status', 5_000],
  ['alerts/summary', 15_000],
];
const OPENING_AT_A_TIME = 50;

export interface TabOptions {
  keyServiceUrl: string;
  cellar: string;
  /** API keys with the scope `read`; each has as many streams as one reader may have. */
  apiKeys: readonly string[];
  streamsOfOne: number;
  /** Readings in an event. 0: they are counted. */
  limit: number;
  /** Of a session, for the other requests of a page. Undefined: there are none. */
  cookie?: string;
}

export interface Tabs {
  /** Responses to the requests for streams, by status. 0: the connection was closed. */
  statuses: Record<number, number>;
  /** Streams that have ended, and other requests that failed. */
  failed: () => number;
  megabytes: () => number;
  close: () => void;
}

/** Opens streams through key-service and reads them, as browser tabs would. */
export async function openTabs(options: TabOptions): Promise<Tabs> {
  const { keyServiceUrl, cellar, apiKeys, streamsOfOne, limit, cookie } = options;
  const closed = new AbortController();
  const { signal } = closed;
  const statuses: Tabs['statuses'] = {};
  const counts = { failed: 0, bytes: 0 };

  async function openStream(apiKey: string): Promise<void> {
    const url = `${keyServiceUrl}/api/v1/query/cellars/${cellar}/live?limit=${limit}`;
    const response = await fetch(url, { headers: { 'x-api-key': apiKey }, signal }).catch(() => undefined);
    const status = response?.status ?? 0;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (response === undefined) return;
    if (response.ok) void read(response).catch(() => signal.aborted || counts.failed++);
    else await response.body?.cancel();
  }
  async function read({ body }: Response): Promise<void> {
    for await (const chunk of body ?? []) counts.bytes += (chunk as Uint8Array).length;
    throw new Error('the stream has ended');
  }
  async function poll(path: string, everyMs: number): Promise<void> {
    await delay(Math.random() * everyMs, undefined, { signal });
    for (;;) {
      const response = await fetch(`${keyServiceUrl}/api/v1/${path}`, {
        ...(cookie !== undefined && { headers: { cookie } }),
        signal,
      });
      await response.arrayBuffer();
      if (!response.ok) counts.failed++;
      await delay(everyMs, undefined, { signal });
    }
  }

  const wanted = apiKeys.flatMap((key) => Array.from({ length: streamsOfOne }, () => key));
  for (let at = 0; at < wanted.length; at += OPENING_AT_A_TIME)
    await Promise.all(wanted.slice(at, at + OPENING_AT_A_TIME).map(openStream));
  if (cookie !== undefined) {
    for (let tab = 0; tab < wanted.length; tab++)
      for (const [path, everyMs] of polls(cellar))
        void poll(path, everyMs).catch(() => signal.aborted || counts.failed++);
  }
  return {
    statuses,
    failed: () => counts.failed,
    megabytes: () => counts.bytes / 1_000_000,
    close: () => closed.abort(),
  };
}
