import { expect, test } from 'vitest';
import type { Ingest, IngestResult } from '../src/send/ingest.ts';
import { sendBatch } from '../src/send/send-batch.ts';

const readings = ['a', 'b', 'c', 'd'].map((json, i) => ({ line: i + 10, json: Buffer.from(json) }));

/** Returns the given responses one after the other, and records the requests. */
function scripted(...answers: [status: number, body?: unknown, retryAfter?: string][]) {
  const sent: string[] = [];
  const ingest: Ingest = {
    post: async (_path, _type, body): Promise<IngestResult> => {
      sent.push(Buffer.from(body).toString().trimEnd().replaceAll('\n', ' '));
      const [status, told, retryAfter = null] = answers.shift() ?? [200];
      return { status, body: told, retryAfter };
    },
  };
  return { ingest, sent };
}

const send = (ingest: Ingest, stop = new AbortController().signal) =>
  sendBatch(readings, { ingest, giveUpAfterMs: 60_000, stop });

const fault = (index: number, code: string, retryable: boolean) => ({ index, code, error: code, retryable });

test('only what is worth it is sent again, and lines stay those of the file', async () => {
  const errors = [
    fault(1, 'unavailable', true),
    fault(2, 'invalid_reading', false),
    fault(3, 'unavailable', true),
  ];
  const again = [fault(1, 'rack_mismatch', false)];
  const { ingest, sent } = scripted([503, { errors }], [503], [207, { errors: again }]);
  expect(await send(ingest)).toMatchObject([
    { line: 12, code: 'invalid_reading' },
    { line: 13, code: 'rack_mismatch' },
  ]);
  expect(sent).toEqual(['a b c d', 'b d', 'b d']);
});

test('a batch that is too large is sent in halves, and a single reading that is too large is reported', async () => {
  const tooLarge = { code: 'payload_too_large', error: 'too large' };
  const { ingest, sent } = scripted([413, tooLarge], [413, tooLarge], [413, tooLarge]);
  expect(await send(ingest)).toMatchObject([{ line: 10, code: 'payload_too_large', retryable: false }]);
  expect(sent).toEqual(['a b c d', 'a b', 'a', 'b', 'c d']);
});

test('a rejection that every batch would meet ends it all', async () => {
  const { ingest } = scripted([401, { error: 'Invalid API key', status: 401 }]);
  await expect(send(ingest)).rejects.toMatchObject({ message: 'Invalid API key', exitCode: 1 });
});

test('interrupted while it waits, it says what is open', async () => {
  const stop = new AbortController();
  const { ingest, sent } = scripted([503, { code: 'unavailable', error: 'later' }, '3600']);
  const unsent = sendBatch(readings, { ingest, giveUpAfterMs: 1e9, stop: stop.signal });
  stop.abort();
  expect((await unsent).map(({ line, retryable }) => [line, retryable])).toEqual([
    [10, true],
    [11, true],
    [12, true],
    [13, true],
  ]);
  expect(sent).toHaveLength(1);
});
