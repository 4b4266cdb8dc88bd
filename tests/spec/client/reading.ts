import { randomBytes } from 'node:crypto';

export interface Reading {
  cellar: string;
  rack: string;
  keg: string;
  value: number;
  timestamp: string;
}

/** A good reading of now, from a rack that no other has. */
export function readingOf(cellar: string, fields: Partial<Reading> = {}): Reading {
  return {
    cellar,
    rack: `rack-${randomBytes(4).toString('hex')}`,
    keg: 'temperature',
    value: 21.5,
    timestamp: secondsAgo(0),
    ...fields,
  };
}

/** `YYYY-MM-DDThh:mm:ssZ` */
export function secondsAgo(seconds: number): string {
  return `${new Date(Date.now() - seconds * 1_000).toISOString().slice(0, 19)}Z`;
}
