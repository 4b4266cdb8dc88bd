import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

export const rateLimitSchema = Type.Object(
  {
    perSecond: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'Readings per second.' }),
    burst: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Readings that can be sent in a burst after a pause.',
    }),
  },
  { title: 'RateLimit', additionalProperties: false },
);

export const optionalRateLimitSchema = Type.Union([rateLimitSchema, Type.Null()]);

export type RateLimit = Static<typeof rateLimitSchema>;

export function toRateLimit(row: {
  rate_per_second: number | null;
  rate_burst: number | null;
}): RateLimit | null {
  const { rate_per_second: perSecond, rate_burst: burst } = row;
  return perSecond === null || burst === null ? null : { perSecond, burst };
}
