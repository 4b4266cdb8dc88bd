import { describe, expect, it } from 'vitest';
import { describeDelay } from '../src/rack/describe-reading.ts';
import { rackPath } from '../src/rack/rack-path.ts';
import { readRackSearch } from '../src/rack/rack-search.ts';
import { describeSilence } from '../src/rack/describe-reading.ts';

describe('the page of a rack', () => {
  it.each(['rack-1', '.', '..', '~', '~.', '~~', 'a/b', '...', ' ', '%2E'])('has a path for %j', (rack) => {
    const path = rackPath.stringify({ rack });
    expect(['.', '..']).not.toContain(path.rack);
    expect(rackPath.parse(path)).toEqual({ rack });
  });

  it('reads its range from the URL, and ignores half a range', () => {
    expect(readRackSearch({ range: '24h', keg: 17 })).toEqual({ range: '24h', keg: '17' });
    const [from, to] = ['2026-11-23T08:00:00.000Z', '2026-11-23T09:00:00.000Z'];
    expect(readRackSearch({ from, to, zone: 'utc' })).toEqual({ from, to, zone: 'utc' });
    for (const search of [{ from }, { from, to: from }, { from: to, to: from }, { from: 'x', to }]) {
      expect(readRackSearch(search)).toEqual({});
    }
  });

  it('calls a rack silent five minutes after its last reading', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    expect(describeSilence('2026-11-23T11:55:01Z', now)).toBeUndefined();
    expect(describeSilence('2026-11-23T11:48:00Z', now)).toBe('12 min');
  });

  it.each([
    ['2026-11-23T12:00:00.240Z', '240 ms'],
    ['2026-11-23T12:00:01.250Z', '1.3 s'],
    ['2026-11-23T12:03:59Z', '3 min'],
    ['2026-11-23T14:00:00Z', '2 h'],
    ['2026-11-26T12:00:00Z', '3 days'],
    ['2026-11-23T11:59:59.500Z', '−500 ms'],
  ])('a reading that was received at %s took %s', (receivedAt, delay) => {
    expect(describeDelay({ timestamp: '2026-11-23T12:00:00Z', receivedAt })).toBe(delay);
  });
});
