import { describe, expect, it } from 'vitest';
import { describeGoodRange, describeValue, rangeState } from '../src/kegs/describe-value.ts';
import type { ValueSettings } from '../src/kegs/describe-value.ts';

const settings = (given: Partial<ValueSettings> = {}): ValueSettings => ({
  unit: null,
  decimals: null,
  goodRange: { min: null, max: null },
  ...given,
});

describe('the value of a keg', () => {
  it.each([
    [21.456, settings({ unit: '°C', decimals: 1 }), '21.5\u00A0°C'],
    [21, settings({ unit: '°C', decimals: 2 }), '21.00\u00A0°C'],
    [12_431.5, settings({ unit: 'Pa', decimals: 0 }), '12,432\u00A0Pa'],
    [-0.04, settings({ decimals: 1 }), '0.0'],
    [45, settings({ unit: '%' }), '45%'],
    [45, settings({ unit: '% RH' }), '45% RH'],
    [12.2128, undefined, '12.2128'],
    [64 / 3, undefined, '21.33333'],
    [0.1 + 0.2, undefined, '0.3'],
    [1e21, settings({ unit: 'm', decimals: 3 }), '1.000e+21\u00A0m'],
    [1e-9, undefined, '1.000e-9'],
    [0, undefined, '0'],
  ])('%d with %j reads %s', (value, given, text) => {
    expect(describeValue(value, given).text).toBe(text);
  });

  it('is low or high outside of the good range, whose limits are good', () => {
    const both = settings({ goodRange: { min: 10, max: 25 } });
    expect([9.99, 10, 25, 25.01].map((value) => rangeState(value, both))).toEqual([
      ...['low', 'good', 'good', 'high'],
    ]);
    expect(rangeState(-1e9, settings({ goodRange: { min: null, max: 25 } }))).toBe('good');
    expect(rangeState(1e9, settings({ goodRange: { min: 10, max: null } }))).toBe('good');
    expect(rangeState(0, settings())).toBeUndefined();
    expect(rangeState(0, undefined)).toBeUndefined();
  });

  it('has a range in words', () => {
    const range = (min: number | null, max: number | null) =>
      describeGoodRange(settings({ unit: '°C', decimals: 1, goodRange: { min, max } }));
    expect(range(10, 25)).toBe('10.0 to 25.0\u00A0°C');
    expect(range(10, null)).toBe('at least 10.0\u00A0°C');
    expect(range(null, 25)).toBe('at most 25.0\u00A0°C');
    expect(range(null, null)).toBeUndefined();
  });
});
