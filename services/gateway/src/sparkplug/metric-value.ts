import type { Metric } from './payload.ts';

/** Int8 is 1, UInt64 is 8. */
const BITS = [8, 16, 32, 64] as const;
const [LAST_SIGNED, LAST_INTEGER, FLOAT, DOUBLE, BOOLEAN] = [4, 8, 9, 10, 11] as const;

/** Returns the value as the digits of a JSON number, `null` for NaN and infinity; undefined for other data types. */
export function metricValue(metric: Metric, datatype: number): string | undefined {
  const { intValue, longValue = intValue, floatValue, doubleValue, booleanValue } = metric;
  if (datatype >= 1 && datatype <= LAST_INTEGER && longValue !== undefined) {
    const bits = BITS[((datatype - 1) % BITS.length) as 0];
    const integer = BigInt(longValue);
    return String(datatype <= LAST_SIGNED ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer));
  }
  if (datatype === FLOAT && floatValue !== undefined) return shortestFloat(floatValue);
  if (datatype === DOUBLE && doubleValue !== undefined) return JSON.stringify(doubleValue);
  if (datatype === BOOLEAN && booleanValue !== undefined) return booleanValue ? '1' : '0';
  return undefined;
}

/** 20.1 instead of 20.100000381469727, which has the same 32 bits. */
function shortestFloat(value: number): string {
  const rounded = [6, 7, 8].map((digits) => Number(value.toPrecision(digits)));
  return JSON.stringify(rounded.find((candidate) => Math.fround(candidate) === value) ?? value);
}
