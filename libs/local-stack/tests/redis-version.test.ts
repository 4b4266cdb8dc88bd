import { expect, test } from 'vitest';
import { isNewEnough } from '../src/engines/redis.ts';

test.each([
  ['Redis server v=6.2.11 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64', true],
  ['Redis server v=7.0.15 sha=00000000:0', true],
  ['Valkey server v=8.0.1 sha=00000000:0', true],
  ['Redis server v=6.0.16 sha=00000000:0', false],
  ['Redis server v=5.0.14 sha=00000000:0', false],
  ['something else', false],
])('%s', (output, expected) => {
  expect(isNewEnough(output)).toBe(expected);
});
