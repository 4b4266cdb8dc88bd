import { ClientError } from './client-error.ts';

export interface Reading {
  /** @default the option `cellar` of the client */
  cellar?: string;
  rack: string;
  keg: string;
  value: number;
  /** UTC, `2026-11-21T06:30:00.123456789Z`, with 0 to 9 digits after the seconds. @default the time of `put` */
  timestamp?: string | Date;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/**
 * Returns the JSON that is stored and sent.
 *
 * Only what is certainly wrong is rejected here, so that a new rule of ingest needs no new client.
 *
 * @throws {ClientError} `invalid_reading`
 */
export function bodyOf(reading: Reading, cellar: string | undefined, stamp: () => string): string {
  const { rack, keg, value } = reading;
  const owner = reading.cellar ?? cellar;
  if (typeof owner !== 'string' || owner === '') throw invalid('"cellar" must be a string that is not empty');
  if (typeof rack !== 'string' || rack === '') throw invalid('"rack" must be a string that is not empty');
  if (typeof keg !== 'string' || keg === '') throw invalid('"keg" must be a string that is not empty');
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid('"value" must be a finite number');
  const timestamp = reading.timestamp === undefined ? stamp() : textOf(reading.timestamp);
  return JSON.stringify({ cellar: owner, rack, keg, value, timestamp });
}

function textOf(timestamp: string | Date): string {
  if (typeof timestamp === 'string' && TIMESTAMP.test(timestamp)) return timestamp;
  if (timestamp instanceof Date && !Number.isNaN(timestamp.getTime())) return timestamp.toISOString();
  throw invalid('"timestamp" must be like 2026-11-21T06:30:00.123Z');
}

function invalid(message: string): ClientError {
  return new ClientError('invalid_reading', message);
}
