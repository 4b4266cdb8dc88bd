import { describe, expect, it } from 'vitest';
import { readDataSearch } from '../src/data/data-search.ts';
import { toCsv, toCurl, toNdjson } from '../src/data/export-data.ts';
import { findRackGroups } from '../src/data/rack-groups.ts';
import { atRange, movedBy, widened } from '../src/range/ranges.ts';

describe('the search of the data page', () => {
  it('keeps up to eight different racks, and a range with both ends', () => {
    const racks = ['a', 'a', 7, '', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    expect(readDataSearch({ keg: 't', racks, range: '1h', from: 'x', to: '2026-11-21T00:00:00Z' })).toEqual({
      keg: 't',
      racks: ['a', '7', 'b', 'c', 'd', 'e', 'f', 'g'],
      range: '1h',
    });
    expect(readDataSearch({ racks: 'a', from: '2026-11-20', to: '2026-11-21T00:00:00Z', zone: 'x' })).toEqual(
      {
        racks: ['a'],
        from: '2026-11-20T00:00:00.000Z',
        to: '2026-11-21T00:00:00.000Z',
      },
    );
    expect(readDataSearch({ racks: [] })).toEqual({ racks: [] });
  });
});

describe('a range', () => {
  it('moves and widens, but not into the future', () => {
    expect(movedBy(-0.5, { from: 100, to: 200 }, 1_000)).toEqual({ from: 50, to: 150 });
    expect(movedBy(0.5, { from: 100, to: 200 }, 220)).toEqual({ from: 120, to: 220 });
    expect(widened({ from: 100, to: 200 }, 210)).toEqual({ from: 50, to: 210 });
  });

  it('is at least a second long', () => {
    expect(atRange({ from: 0.5, to: 0.6 })).toEqual({
      from: '1970-01-01T00:00:00.000Z',
      to: '1970-01-01T00:00:01.000Z',
    });
  });
});

it('groups of racks start alike', () => {
  expect(
    findRackGroups(['ferment-1', 'mash-1', 'mash-2', 'press', 'mash-x-3', 'ferment-2', 'only-1']),
  ).toEqual([
    { prefix: 'mash-', racks: ['mash-1', 'mash-2', 'mash-x-3'] },
    { prefix: 'ferment-', racks: ['ferment-1', 'ferment-2'] },
  ]);
});

describe('an export', () => {
  const points = [{ at: '2026-11-21T00:00:00.000000000Z', avg: 1.5, min: 1, max: 2, last: 2, count: 2 }];
  const data = {
    ...{ step: 60, from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' },
    series: [{ rack: '=a"b', keg: 't', points, summary: null }],
  };

  it('as CSV has the unit in its header, and no formula', () => {
    expect(toCsv(data, { unit: '°C' })).toBe(
      '"rack","keg","start","average (°C)","minimum (°C)","maximum (°C)","last (°C)","readings"\n' +
        `"'=a""b","t",2026-11-21T00:00:00.000000000Z,1.5,1,2,2,2\n`,
    );
  });

  it('as NDJSON has the unit in each line', () => {
    expect(JSON.parse(toNdjson(data, { unit: null }))).toEqual({
      ...{ rack: '=a"b', keg: 't', unit: null, step: 60 },
      ...points[0],
    });
  });

  it('as curl quotes every name', () => {
    const params = { keg: ["it's"], rack: ['a', '$(b)'], from: '2026-11-21T00:00:00Z', points: 500 };
    const text = toCurl('https://cellarman.example', 'demo', params);
    expect(text).toContain(`--data-urlencode 'keg=it'"'"'s'`);
    expect(text).toContain(`--data-urlencode 'rack=$(b)'`);
    expect(text).toContain('/api/v1/query/cellars/demo/series');
    expect(text).toContain('$CELLARMAN_API_KEY');
  });
});
