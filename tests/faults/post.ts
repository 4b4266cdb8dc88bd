import { INGEST_PATH, WRITE_PATH } from '@cellarman/contracts';
import type { Pool } from 'undici';
import type { NumberedReading, Outcome } from './ledger.ts';

export interface PostResult {
  /** `200`, `503 unavailable`, or the code of the failure without a response. */
  answer: string;
  /** For each reading that was posted, in their order. */
  outcomes: Outcome[];
}

type Readings = readonly NumberedReading[];

/** Posts the first of these, as a device does. */
export async function postReading(pool: Pool, apiKey: string, readings: Readings): Promise<PostResult> {
  const answer = await post(pool, INGEST_PATH, apiKey, JSON.stringify(readings[0]?.reading));
  return { answer: answer.text, outcomes: [outcomeOf(answer.status)] };
}

/** Posts all of these in one batch, as a gateway does. */
export async function postBatch(pool: Pool, apiKey: string, readings: Readings): Promise<PostResult> {
  const body = JSON.stringify(readings.map(({ reading }) => reading));
  const answer = await post(pool, `${INGEST_PATH}/batch`, apiKey, body);
  const { errors = [] } = answer;
  const rejected = new Set(errors.map(({ index }) => index));
  const codes = new Set(errors.map(({ code }) => code));
  // Where there is a list of errors, all other readings are stored, also in a 503.
  const outcome = answer.errors === undefined ? outcomeOf(answer.status) : 'acknowledged';
  return {
    answer: [answer.text, ...codes].join(' '),
    outcomes: readings.map((_, index) => (rejected.has(index) ? 'rejected' : outcome)),
  };
}

/** Posts all of these as InfluxDB line protocol, which knows no other partial success than 400. */
export async function postLines(pool: Pool, apiKey: string, readings: Readings): Promise<PostResult> {
  const lines = readings.map(({ reading: { rack, keg, value, timestamp = '' } }) => {
    const [measurement, field] = keg.split('.');
    const microseconds = BigInt(Date.parse(timestamp)) * 1_000n + BigInt(timestamp.slice(-4, -1));
    return `${measurement},rack=${rack} ${field}=${value} ${microseconds}`;
  });
  const path = `${WRITE_PATH}?bucket=${readings[0]?.reading.cellar}&precision=us`;
  const { status, text } = await post(pool, path, apiKey, lines.join('\n'));
  return { answer: text, outcomes: readings.map(() => outcomeOf(status)) };
}

function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined) return 'unknown';
  return status >= 200 && status < 300 ? 'acknowledged' : 'rejected';
}

/** A proxy has error bodies of its own. */
function parse(text: string): { code?: string; errors?: BatchError[] } {
  try {
    return JSON.parse(text) as { code?: string; errors?: BatchError[] };
  } catch {
    return { code: 'in other words' };
  }
}

interface Answer {
  /** Undefined when none came. */
  status: number | undefined;
  text: string;
  errors?: BatchError[];
}

interface BatchError {
  index: number;
  code: string;
}

async function post(pool: Pool, path: string, apiKey: string, body: string): Promise<Answer> {
  try {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    const { statusCode: status, body: answer } = await pool.request({ path, method: 'POST', headers, body });
    if (status === 200 || status === 204) {
      await answer.dump();
      return { status, text: String(status) };
    }
    const { code, errors } = parse(await answer.text());
    const text = [status, code].filter((part) => part !== undefined).join(' ');
    return { status, text, ...(errors === undefined ? {} : { errors }) };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return { status: undefined, text: code ?? name };
  }
}
