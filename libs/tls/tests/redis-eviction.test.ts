import { expect, test } from 'vitest';
import { evictionWarning } from '../src/index.ts';

const memory = (maxmemory: number, policy: string) =>
  `# Memory\r\nused_memory:1024\r\nmaxmemory:${maxmemory}\r\nmaxmemory_human:x\r\nmaxmemory_policy:${policy}\r\n`;

test.each([
  [100, 'volatile-lru'],
  // It never evicts: the machine ends first.
  [0, 'noeviction'],
  [0, 'allkeys-lru'],
])('a maxmemory of %i with %s is safe', (maxmemory, policy) => {
  expect(evictionWarning(memory(maxmemory, policy))).toBeUndefined();
});

test.each([
  'allkeys-lru',
  'allkeys-lfu',
  'allkeys-random',
  'volatile-random',
  'volatile-ttl',
  'volatile-lfu',
])('%s may evict counters', (policy) => {
  expect(evictionWarning(memory(100, policy))).toMatch(`${policy}: it may evict counters`);
});

test('noeviction stops sign-in when Redis is full', () => {
  expect(evictionWarning(memory(100, 'noeviction'))).toMatch('users could not sign in');
});

test('a Redis that does not say is not warned of', () => {
  expect(evictionWarning('# Memory\r\nused_memory:1\r\n')).toBeUndefined();
});
