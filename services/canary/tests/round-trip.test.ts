import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createRoundTrip, RoundTripFailure } from '../src/round-trip.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Ingest and query in one: takes every reading, and responds to a query for readings with that text. */
async function startService(dataOf: (posted: { value: number }) => string): Promise<string> {
  let posted = { value: 0 };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST') posted = JSON.parse(body) as { value: number };
      response.end(request.method === 'POST' ? '{}' : dataOf(posted));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(
  dataOf: (posted: { value: number }) => string,
): Promise<RoundTripFailure | undefined> {
  const url = await startService(dataOf);
  const roundTrip = createRoundTrip({
    ...{ ingestUrl: url, queryUrl: url, cellar: 'demo', apiKey: 'cm_key', deadlineMs: 300 },
  });
  try {
    await roundTrip(AbortSignal.timeout(10_000));
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(RoundTripFailure);
    return error as RoundTripFailure;
  }
}

test('a reading that is found is a round trip', async () => {
  expect(
    await failureOf(({ value }) => JSON.stringify({ readings: [{ value: 1 }, { value }] })),
  ).toBeUndefined();
});

test('a reading that was acknowledged and is never found is the worst outcome', async () => {
  const failure = await failureOf(({ value }) => JSON.stringify({ readings: [{ value: value + 1 }] }));
  expect(failure?.step).toBe('find');
  expect(failure?.message).toContain('was acknowledged but cannot be read');
});

test.each(['<html>Please sign in</html>', '{"rows":[]}', 'null', '{"readings":[{"value":"1"}]}'])(
  'a 200 that is not from query is a failed read: %s',
  async (text) => {
    const failure = await failureOf(() => text);
    expect(failure?.step).toBe('read');
    expect(failure?.message).toContain(text);
  },
);
