import { expect, it } from 'vitest';
import { createBoundedMap } from '../src/bounded-map.ts';

it('drops what nobody read lately', () => {
  const dropped: number[] = [];
  const map = createBoundedMap<number>({ limit: 3, onDrop: (value) => void dropped.push(value) });
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    map.set(key, value);
  map.get('a');
  map.set('d', 4);
  expect(dropped).toEqual([2]);
  expect([...map.entries()].map(([key]) => key).sort()).toEqual(['a', 'c', 'd']);
});

it('stays within its limit when everything is read all the time', () => {
  const map = createBoundedMap<number>({ limit: 100 });
  for (let n = 0; n < 1_000; n++) {
    map.set(`key-${n}`, n);
    for (const [key] of [...map.entries()]) map.get(key);
  }
  expect(map.size).toBe(100);
  expect(map.get('key-999')).toBe(999);
});

it('overwrites, deletes and clears', () => {
  const dropped: number[] = [];
  const map = createBoundedMap<number>({ limit: 2, onDrop: (value) => void dropped.push(value) });
  map.set('a', 1);
  map.set('a', 2);
  expect([map.get('a'), map.size]).toEqual([2, 1]);
  expect([map.delete('a'), map.delete('a'), map.get('a')]).toEqual([true, false, undefined]);
  map.set('b', 3);
  map.clear();
  expect([map.size, dropped]).toEqual([0, [2, 3]]);
});
