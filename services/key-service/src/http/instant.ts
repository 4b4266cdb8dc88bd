import { Type } from '@sinclair/typebox';

/** A point in time in a response: ISO 8601 in UTC with milliseconds. */
export const instantSchema = Type.String({ format: 'date-time', examples: ['2026-11-21T06:30:00.000Z'] });

export const optionalInstantSchema = Type.Union([instantSchema, Type.Null()]);

export function toInstant(date: Date): string;
export function toInstant(date: Date | null): string | null;
export function toInstant(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
