import { describe, expect, test } from 'vitest';
import { createFollowedPosition } from '../src/lookup/followed-position.ts';

function setUp() {
  let time = 0;
  const position = createFollowedPosition({ clock: () => time, maxAgeMs: 100 });
  return { position, pass: (ms: number) => (time += ms) };
}
const at = (number: number, epoch = 'e') => ({ epoch, number });

describe('the position that this replica has followed to', () => {
  test('is unknown before the first pull, whatever was committed', () => {
    const { position } = setUp();
    position.committed(at(5));
    expect(position.current()).toBeUndefined();
    expect(position.age()).toBe(Infinity);
  });

  test('counts from the beginning of the pull, for the longest age', () => {
    const { position, pass } = setUp();
    const arrive = position.beginPull();
    pass(60);
    arrive(at(1));
    expect(position.age()).toBe(60);
    pass(40);
    expect(position.current()).toEqual(at(1));
    pass(1);
    expect(position.current()).toBeUndefined();
  });

  test('advances with an own commit, and not back for an earlier response', () => {
    const { position } = setUp();
    position.beginPull()(at(1));
    const arrive = position.beginPull();
    position.committed(at(3));
    expect(position.current()).toEqual(at(3));
    arrive(at(2));
    expect(position.current()).toEqual(at(3));
    position.committed(at(2));
    expect(position.current()).toEqual(at(3));
  });

  test('goes back with the database', () => {
    const { position } = setUp();
    position.beginPull()(at(10));
    position.committed(at(11));
    position.beginPull()(at(4));
    expect(position.current()).toEqual(at(4));
  });

  test('starts again in another epoch', () => {
    const { position } = setUp();
    position.beginPull()(at(10));
    position.beginPull()(at(2, 'f'));
    expect(position.current()).toEqual(at(2, 'f'));
    // A commit has reached the next epoch already, while a pull was reading this one.
    const arrive = position.beginPull();
    position.committed(at(1, 'g'));
    arrive(at(2, 'f'));
    expect(position.current()).toEqual(at(1, 'g'));
  });
});
