import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

export const STEPS = ['post', 'read', 'find'] as const;
export type Step = (typeof STEPS)[number];

/** Where it broke, and why, for a person. */
export class RoundTripFailure extends Error {
  readonly step: Step;

  constructor(step: Step, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'RoundTripFailure';
    this.step = step;
  }
}

/** @throws {RoundTripFailure} */
export type RoundTrip = (signal: AbortSignal) => Promise<void>;

/** Longer than ingest takes for a 503. */
const REQUEST_DEADLINE_MS = 6_000;
const POLL_MS = 100;
const SERIES = { rack: 'canary', keg: 'round-trip' };

/** Does what a device and a person do: posts a reading, and queries it until it is there. */
export function createRoundTrip(options: {
  ingestUrl: string;
  queryUrl: string;
  cellar: string;
  apiKey: string;
  deadlineMs: number;
}): RoundTrip {
  const { ingestUrl, queryUrl, cellar, apiKey, deadlineMs } = options;

  /** Returns the body. A connection that breaks and a status other than 200 are failures of the step. */
  async function request(
    step: Step,
    url: string,
    signal: AbortSignal,
    init: RequestInit = {},
  ): Promise<string> {
    try {
      const deadline = AbortSignal.timeout(REQUEST_DEADLINE_MS);
      const response = await fetch(url, {
        ...init,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        signal: AbortSignal.any([signal, deadline]),
      });
      const text = await response.text();
      if (response.status !== 200) throw new RoundTripFailure(step, `${response.status}: ${text}`);
      return text;
    } catch (error) {
      if (error instanceof RoundTripFailure) throw error;
      throw new RoundTripFailure(step, `${url} does not response: ${reasonOf(error)}`, { cause: error });
    }
  }

  return async function roundTrip(signal) {
    const begun = performance.now();
    const now = new Date();
    const timestamp = now.toISOString();
    const reading = { cellar, ...SERIES, value: now.getTime() + Math.random(), timestamp };
    const body = JSON.stringify(reading);
    await request('post', `${ingestUrl}/api/v1/ingest`, signal, { method: 'POST', body });

    const range = new URLSearchParams({ ...SERIES, from: timestamp });
    const address = `${queryUrl}/api/v1/query/cellars/${cellar}/readings?${range.toString()}`;
    while (performance.now() - begun < deadlineMs) {
      const values = valuesIn(await request('read', address, signal));
      if (values.includes(reading.value)) return;
      await delay(POLL_MS, undefined, { signal });
    }
    throw new RoundTripFailure(
      'find',
      `the reading of ${timestamp} was acknowledged but cannot be read after ${deadlineMs / 1_000} s`,
    );
  };
}

const isReadings = TypeCompiler.Compile(
  Type.Object({ readings: Type.Array(Type.Object({ value: Type.Number() })) }),
);

/** A proxy may respond with 200 and a page of its own. */
function valuesIn(text: string): number[] {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    // The check below says it.
  }
  if (isReadings.Check(response)) return response.readings.map(({ value }) => value);
  throw new RoundTripFailure('read', `200, but no readings: ${text.slice(0, 200)}`);
}

/** What fetch says is only that it failed; the cause says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string } };
  return cause?.message ?? message;
}
