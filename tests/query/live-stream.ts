import { createParser } from 'eventsource-parser';
import type { ArrivalsEvent } from '../../services/query/src/live/arrival.ts';

export interface LiveStream {
  status: number;
  text: () => Promise<string>;
  events: { id: string | undefined; data: ArrivalsEvent }[];
  /** The values of all readings so far, the newest event first. */
  values: () => number[];
  more: () => number;
  /** Milliseconds in `retry`. */
  retries: number[];
  comments: () => number;
  /** Resolves with "ended" or "cut off". */
  closed: Promise<string>;
  leave(): void;
}

/** Reads the events of a stream as they come. */
export async function openLive(url: string, headers: Record<string, string>): Promise<LiveStream> {
  const left = new AbortController();
  const response = await fetch(url, { headers, signal: left.signal });
  const events: LiveStream['events'] = [];
  const retries: number[] = [];
  let comments = 0;
  const parser = createParser({
    onEvent: ({ id, data }) => void events.push({ id, data: JSON.parse(data) as ArrivalsEvent }),
    onRetry: (ms) => void retries.push(ms),
    onComment: () => (comments += 1),
  });

  async function readAll(): Promise<string> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? [])
        parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      return 'ended';
    } catch {
      return 'cut off';
    }
  }

  return {
    status: response.status,
    text: () => response.text(),
    events,
    retries,
    comments: () => comments,
    values: () => events.toReversed().flatMap(({ data }) => data.readings.map(({ value }) => value)),
    more: () => events.reduce((sum, { data }) => sum + data.more, 0),
    closed: response.ok ? readAll() : Promise.resolve('rejected'),
    leave: () => left.abort(),
  };
}
