import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from './harness.ts';
import type { Row, Harness } from './harness.ts';

/** What is stored, as each route returns it. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('what arrives', () => {
  beforeAll(async () => {
    await harness.store([
      { cellar: 'arrivals', rack: 'a', received_at: ago(10 * SECOND), value: 1 },
      { cellar: 'arrivals', rack: 'a', received_at: ago(10 * SECOND), value: 2 },
      { cellar: 'arrivals', rack: 'b', received_at: ago(30 * MINUTE), value: 3 },
      { cellar: 'arrivals', rack: 'c', received_at: ago(2 * HOUR), value: 4 },
    ]);
  });

  test('is counted for the cellar', async () => {
    const { body } = await harness.ask<{ lastReadingAt: string; now: string }>('/cellars/arrivals/overview');
    expect(body).toMatchObject({ readingsLastMinute: 2, readingsLastHour: 3, racksLastHour: 2 });
    expect(Date.parse(body.now) - Date.parse(body.lastReadingAt)).toBeLessThan(MINUTE);
    const { body: empty } = await harness.ask('/cellars/nothing-yet/overview');
    expect(empty).toMatchObject({
      ...{ readingsLastMinute: 0, readingsLastHour: 0, racksLastHour: 0, lastReadingAt: null },
    });
  });

  test('is listed by cellar, with its silent racks and its last 24 hours', async () => {
    const { body } = await harness.ask<{ cellars: { cellar: string; hours: number[] }[] }>('/cellars');
    const arrivals = body.cellars.find(({ cellar }) => cellar === 'arrivals');
    expect(arrivals).toMatchObject({ readingsLastHour: 3, racks: 3, silentRacks: 2 });
    expect(arrivals?.hours).toHaveLength(24);
    expect(arrivals?.hours.slice(-3)).toEqual([1, 0, 3]);
  });

  test('is counted by time, and only the past is complete', async () => {
    const path = `/cellars/arrivals/counts?step=900&from=${ago(3 * HOUR)}`;
    const { body } = await harness.ask<{ step: number; buckets: Bucket[] }>(path);
    expect(body.step).toBe(900);
    expect(body.buckets.map(({ readings }) => readings)).toEqual(
      // Half an hour ago and now may lie in one bucket of a quarter only if the clock stood still.
      [1, 1, 2],
    );
    for (const { at } of body.buckets) expect(Date.parse(at) % (900 * SECOND)).toBe(0);
    const [last] = body.buckets.slice(-1);
    const end = Date.parse(last?.at ?? '') + 900 * SECOND;
    expect(last?.isComplete).toBe(end + 10 * SECOND <= Date.now());
    expect(body.buckets.slice(0, -1).every(({ isComplete }) => isComplete)).toBe(true);
  });

  interface Bucket {
    at: string;
    readings: number;
    isComplete: boolean;
  }
});

describe('racks', () => {
  const names = Array.from({ length: 25 }, (_, index) => `Rack-${String(index).padStart(2, '0')}`);
  beforeAll(async () => {
    const rows = names.flatMap((rack, index): Row[] => [
      { cellar: 'racks', rack, keg: 'temperature', received_at: ago(index * 10 * MINUTE + SECOND) },
      { cellar: 'racks', rack, keg: 'humidity', received_at: ago(index * 10 * MINUTE + SECOND), value: 2 },
    ]);
    await harness.store(rows);
  });

  interface Page {
    racks: { rack: string; lastSeenAt: string; readingsLastHour: number; kegs: number }[];
    nextCursor: string | null;
  }
  async function pages(query: string): Promise<string[][]> {
    const found: string[][] = [];
    let cursor = '';
    do {
      const { status, body } = await harness.ask<Page>(`/cellars/racks/racks?${query}${cursor}`);
      expect(status).toBe(200);
      found.push(body.racks.map(({ rack }) => rack));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '' && found.length < 50);
    return found;
  }

  test('come in pages, by name, by when they were seen, and by how much they send', async () => {
    expect(await pages('limit=10')).toEqual([names.slice(0, 10), names.slice(10, 20), names.slice(20)]);
    expect((await pages('limit=10&order=desc')).flat()).toEqual(names.toReversed());
    expect((await pages('limit=7&sort=lastSeenAt&order=desc')).flat()).toEqual(names);
    expect((await pages('limit=7&sort=lastSeenAt')).flat()).toEqual(names.toReversed());
    // Equal ones go by name.
    const busiest = (await pages('limit=4&sort=readingsLastHour&order=desc')).flat();
    expect(busiest.toSorted()).toEqual(names);
    expect(busiest.slice(0, 6).toSorted()).toEqual(names.slice(0, 6));
  });

  test('report when they were seen, how much they sent, and how many kegs they have', async () => {
    const { body } = await harness.ask<Page>('/cellars/racks/racks?limit=200');
    expect(body.nextCursor).toBeNull();
    expect(body.racks[0]).toMatchObject({ rack: 'Rack-00', readingsLastHour: 2, kegs: 2 });
    expect(body.racks[24]).toMatchObject({ rack: 'Rack-24', readingsLastHour: 0, kegs: 2 });
    expect(Date.now() - Date.parse(body.racks[24]?.lastSeenAt ?? '')).toBeGreaterThan(4 * HOUR - MINUTE);
  });

  test('have a status and neighbours of their own', async () => {
    const of = async (rack: string) =>
      (await harness.ask<{ lastSeenAt: string }>(`/cellars/racks/rack?rack=${encodeURIComponent(rack)}`))
        .body;
    expect(await of('Rack-07')).toMatchObject({
      ...{ rack: 'Rack-07', kegs: 2, previous: 'Rack-06', next: 'Rack-08' },
    });
    expect(Date.now() - Date.parse((await of('Rack-24')).lastSeenAt)).toBeGreaterThan(4 * HOUR - MINUTE);
    expect(await of('Rack-00')).toMatchObject({ previous: null, next: 'Rack-01' });
    expect(await of('Rack-24')).toMatchObject({ previous: 'Rack-23', next: null });
    expect(await of('Rack-07b')).toEqual({
      ...{ rack: 'Rack-07b', kegs: 0, lastSeenAt: null, previous: 'Rack-07', next: 'Rack-08' },
    });
  });

  test('name the keys that they used in a range', async () => {
    const [first, second] = ['0198c9a2-0000-4000-8000-000000000001', '0198c9a2-0000-4000-8000-000000000002'];
    const row = (key_id: string, age: number) => ({
      ...{ cellar: 'used-keys', rack: 'r/1', key_id, timestamp: ago(age), received_at: ago(age) },
    });
    await harness.store([
      row(first, 3 * DAY),
      row(first, 2 * HOUR),
      row(second, HOUR),
      row(second, 2 * MINUTE),
    ]);
    await harness.store([{ ...row(first, MINUTE), rack: 'r' }]);
    const keys = async (query: string) =>
      (
        await harness.ask<{ keys: { keyId: string; readings: number }[] }>(
          `/cellars/used-keys/rack/keys?rack=r%2F1${query}`,
        )
      ).body.keys;
    expect(await keys('')).toMatchObject([
      { keyId: second, readings: 2 },
      { keyId: first, readings: 1 },
    ]);
    expect(await keys(`&from=${ago(4 * DAY)}`)).toMatchObject([{ readings: 2 }, { readings: 2 }]);
    expect(await keys(`&from=${ago(4 * DAY)}&to=${ago(DAY)}`)).toMatchObject([{ keyId: first, readings: 1 }]);
  });

  test('have their kegs listed, by name, in pages', async () => {
    const kegs = (query: string) =>
      harness.ask<{ kegs: { keg: string; racks: number; lastSeenAt: string }[]; nextCursor: string | null }>(
        `/cellars/racks/kegs${query}`,
      );
    const { body } = await kegs('');
    expect(body).toMatchObject({
      kegs: [
        { keg: 'humidity', racks: 25 },
        { keg: 'temperature', racks: 25 },
      ],
      nextCursor: null,
    });
    expect(Date.now() - Date.parse(body.kegs[0]?.lastSeenAt ?? '')).toBeLessThan(MINUTE);
    const first = (await kegs('?limit=1')).body;
    expect(first.kegs).toMatchObject([{ keg: 'humidity' }]);
    const second = (await kegs(`?limit=1&cursor=${first.nextCursor ?? ''}`)).body;
    expect(second).toMatchObject({ kegs: [{ keg: 'temperature' }], nextCursor: null });
    expect((await kegs('?search=TEMP')).body.kegs).toMatchObject([{ keg: 'temperature' }]);
    expect((await kegs('?search=%25')).body.kegs).toEqual([]);
  });

  test('are found by a part of their name, its start, a keg, and their silence', async () => {
    expect(await pages('search=aCK-0')).toEqual([names.slice(0, 10)]);
    expect(await pages('prefix=Rack-0')).toEqual([names.slice(0, 10)]);
    expect(await pages('prefix=ack-0')).toEqual([[]]);
    expect(await pages('keg=humidity&prefix=Rack-2')).toEqual([names.slice(20)]);
    expect(await pages('keg=pressure')).toEqual([[]]);
    expect(await pages('search=%25')).toEqual([[]]);
    expect(await pages(`silentForSeconds=${(2 * HOUR - 5 * MINUTE) / SECOND}`)).toEqual([names.slice(12)]);
  });
});

describe('latest values', () => {
  test('are those with the greatest timestamp, to the last digit', async () => {
    const at = '2026-11-21T06:30:00';
    const rows: Row[] = [
      { keg: 'a', timestamp: `${at}.000000002Z`, value: 2, received_at: ago(HOUR) },
      { keg: 'a', timestamp: `${at}.000000001Z`, value: 9, received_at: ago(MINUTE) },
      { keg: 'b', timestamp: `${at}Z`, value: -1.5, received_at: ago(HOUR) },
      // Two readings of one moment: the greater one is shown, whichever came first.
      { keg: 'b', timestamp: `${at}Z`, value: -1.25, received_at: ago(2 * HOUR) },
      { rack: 's', keg: 'c', timestamp: `${at}Z`, value: 5e-324, received_at: ago(HOUR) },
    ];
    await harness.store(rows.map((row) => ({ cellar: 'latest', ...row })));
    const { text } = await harness.ask('/cellars/latest/latest');
    expect(text).toContain('"value":5e-324');
    const { body } = await harness.ask<{ series: object[] }>('/cellars/latest/latest');
    expect(body).toMatchObject({
      series: [
        { rack: 'r', keg: 'a', timestamp: `${at}.000000002Z`, value: 2 },
        { rack: 'r', keg: 'b', timestamp: `${at}.000000000Z`, value: -1.25 },
        { rack: 's', keg: 'c', value: 5e-324 },
      ],
      nextCursor: null,
    });
    const first = await harness.ask<{ series: object[]; nextCursor: string }>(
      '/cellars/latest/latest?limit=2',
    );
    expect(first.body.series).toEqual(body.series.slice(0, 2));
    const second = await harness.ask(`/cellars/latest/latest?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ series: body.series.slice(2), nextCursor: null });
    expect((await harness.ask('/cellars/latest/latest?keg=c&rack=s')).body).toEqual({
      series: body.series.slice(2),
      nextCursor: null,
    });
  });
});

describe('a series', () => {
  test('comes in steps that people know, with gaps as gaps', async () => {
    const begin = Date.parse('2026-11-20T00:00:00Z');
    const at = (ms: number) => new Date(begin + ms).toISOString();
    await harness.store(
      [
        ...[1, 2, 3, 4].map((value) => ({ value, timestamp: at(value * MINUTE) })),
        ...[10, 30].map((value) => ({ value, timestamp: at(12 * HOUR + value * SECOND) })),
      ].map((row) => ({ cellar: 'series', ...row })),
    );
    const { body } = await harness.ask(
      `/cellars/series/series?rack=r&keg=k&from=${at(0)}&to=${at(DAY)}&points=500`,
    );
    expect(body).toEqual({
      step: 300,
      from: at(0),
      to: at(DAY),
      series: [
        {
          rack: 'r',
          keg: 'k',
          points: [
            { at: '2026-11-20T00:00:00.000000000Z', avg: 2.5, min: 1, max: 4, last: 4, count: 4 },
            { at: '2026-11-20T12:00:00.000000000Z', avg: 20, min: 10, max: 30, last: 30, count: 2 },
          ],
          summary: { avg: expect.closeTo(50 / 6, 10) as number, min: 1, max: 30, last: 30, count: 6 },
        },
      ],
    });
  });

  test('comes with others in one response, in the order of the request', async () => {
    const timestamp = '2026-11-20T00:00:00Z';
    await harness.store(
      ['a', 'b', 'c,"d"'].flatMap((rack, index) =>
        ['t', 'h'].map((keg) => ({ cellar: 'several', rack, keg, value: index, timestamp })),
      ),
    );
    const range = 'from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z';
    const { body, text } = await harness.ask<{ series: Series[] }>(
      `/cellars/several/series?rack=${encodeURIComponent('c,"d"')}&rack=none&rack=a&keg=t&${range}`,
    );
    expect(body.series, text).toMatchObject([
      { rack: 'c,"d"', keg: 't', points: [{ avg: 2, count: 1 }], summary: { last: 2, count: 1 } },
      { rack: 'none', keg: 't', points: [], summary: null },
      { rack: 'a', keg: 't', points: [{ avg: 0, count: 1 }], summary: { last: 0, count: 1 } },
    ]);
    const { body: kegs } = await harness.ask<{ series: Series[] }>(
      `/cellars/several/series?rack=b&keg=t&keg=h&${range}`,
    );
    expect(kegs.series.map(({ keg, points }) => [keg, points[0]?.avg])).toEqual([
      ['t', 1],
      ['h', 1],
    ]);
  });

  interface Series {
    rack: string;
    keg: string;
    points: { at: string; avg: number }[];
  }

  test('has averages of values whose sum leaves the range of a double, and of times before 1970', async () => {
    const values = [1.5e308, 1.7e308, 1.6e308];
    await harness.store(
      values.map((value, index) => ({ cellar: 'great', value, timestamp: `1960-01-01T00:00:0${index}Z` })),
    );
    await harness.clickhouse.insert({
      table: 'retention_policy',
      values: [{ cellar: 'great', days: 65_535, version: 1, is_deleted: 0 }],
      format: 'JSONEachRow',
    });
    const { body } = await harness.ask<{ series: Series[] }>(
      '/cellars/great/series?rack=r&keg=k&from=1960-01-01T00:00:00Z&to=1960-01-02T00:00:00Z&points=2',
    );
    const [{ points } = { points: [] }] = body.series;
    expect(points).toMatchObject([{ at: '1960-01-01T00:00:00.000000000Z', min: 1.5e308, max: 1.7e308 }]);
    expect(points[0]?.avg).toBeCloseTo(1.6e308, -297);
  });
});

describe('readings', () => {
  const VALUES = [
    0.1,
    1 / 3,
    1e21,
    -7,
    123_456_789.123_456_78,
    5e-324,
    Number.MAX_SAFE_INTEGER,
    1.7976931348623157e308,
  ];
  const RACK = 'r "1", ñ\\;=cmd()';
  beforeAll(async () => {
    await harness.store(
      VALUES.map((value, index) => ({
        cellar: 'raw',
        rack: RACK,
        value,
        timestamp: `2026-11-21T06:30:00.00000000${index}Z`,
        received_at: '2026-11-21T06:30:01.234Z',
      })),
    );
  });
  const expected = VALUES.map((value, index) => ({
    ...{ rack: RACK, keg: 'k', timestamp: `2026-11-21T06:30:00.00000000${index}Z`, value },
    receivedAt: '2026-11-21T06:30:01.234Z',
  }));
  const path = `/cellars/raw/readings?rack=${encodeURIComponent(RACK)}`;

  test('are exact in every format', async () => {
    expect((await harness.ask(path)).body).toEqual({ readings: expected, nextCursor: null });

    const lines = await harness.ask(path, { cookie: harness.cookie, accept: 'application/x-ndjson' });
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(lines.text.endsWith('\n')).toBe(true);
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(expected);

    const csv = await harness.ask(path, { cookie: harness.cookie, accept: 'text/csv, */*;q=0.1' });
    // A formula behind a semicolon is escaped.
    const quoted = `"${RACK.replaceAll('"', '""').replace(';=', ";'=")}","k"`;
    expect(csv.text.split('\n').slice(0, 3)).toEqual([
      'rack,keg,timestamp,value,receivedAt,unit',
      `${quoted},"2026-11-21T06:30:00.000000000Z",0.1,"2026-11-21T06:30:01.234Z",""`,
      `${quoted},"2026-11-21T06:30:00.000000001Z",0.3333333333333333,"2026-11-21T06:30:01.234Z",""`,
    ]);
  });

  test('come from a range, whose end is not in it', async () => {
    const ask = (from: string, to: string) =>
      harness.ask<{ readings: object[] }>(
        `${path}&from=2026-11-21T06:30:00${from}Z&to=2026-11-21T06:30:00${to}Z`,
      );
    expect((await ask('.000000002', '.000000005')).body.readings).toEqual(expected.slice(2, 5));
    expect((await ask('', '.000000001')).body.readings).toEqual(expected.slice(0, 1));
  });

  const PAGED = ['json', 'ndjson', 'csv'].flatMap((format) => [
    { format, order: 'asc' },
    { format, order: 'desc' },
  ]);
  test.each(PAGED)(
    'come in pages that do not move while others arrive: $format $order',
    async ({ format, order }) => {
      const cellar = `paged-${format}-${order}`;
      await harness.store(
        VALUES.map((value, index) => ({ cellar, value, timestamp: `2026-11-21T06:30:0${index}Z` })),
      );
      const values: number[] = [];
      let query = `?rack=r&keg=k&format=${format}&limit=3&order=${order}`;
      for (let page = 0; query !== '' && page < 10; page++) {
        const { text, body, headers } = await harness.ask<{
          readings: { value: number }[];
          nextCursor: string | null;
        }>(`/cellars/${cellar}/readings${query}`);
        if (format === 'json') {
          values.push(...body.readings.map(({ value }) => value));
          query =
            body.nextCursor === null ? '' : `?rack=r&keg=k&limit=3&order=${order}&cursor=${body.nextCursor}`;
        } else {
          const rows = text.trim().split('\n');
          values.push(
            ...(format === 'csv'
              ? rows.slice(1).map((row) => Number(row.split(',')[3]))
              : rows.map((row) => (JSON.parse(row) as { value: number }).value)),
          );
          query = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
        }
        // Among those that were read already.
        await harness.store([
          { cellar, value: page, timestamp: `2026-11-21T${order === 'asc' ? '05' : '07'}:00:00Z` },
        ]);
      }
      expect(values).toEqual(order === 'asc' ? VALUES : VALUES.toReversed());
    },
  );
});

describe('retention', () => {
  test('hides what is expired from every response immediately, and shows it again when it is lengthened', async () => {
    const cellar = 'kept';
    await harness.store([
      { cellar, rack: 'old', timestamp: ago(10 * DAY), received_at: ago(10 * MINUTE) },
      { cellar, rack: 'new', timestamp: ago(MINUTE), received_at: ago(10 * MINUTE) },
    ]);
    const setDays = (days: number) =>
      harness.clickhouse.insert({
        table: 'retention_policy',
        values: [{ cellar, days, version: Date.now() * 1_000, is_deleted: 0 }],
        format: 'JSONEachRow',
      });
    const seen = async () => {
      const racksOf = async (path: string, list: string) =>
        (await harness.ask<Record<string, { rack: string }[]>>(`/cellars/${cellar}/${path}`)).body[list]?.map(
          ({ rack }) => rack,
        );
      const { body: overview } = await harness.ask<object>(`/cellars/${cellar}/overview`);
      const { body: counts } = await harness.ask<{ buckets: { readings: number }[] }>(
        `/cellars/${cellar}/counts`,
      );
      const { body: all } = await harness.ask<{ cellars: { cellar: string; readingsLastHour: number }[] }>(
        '/cellars',
      );
      return {
        racks: await racksOf('racks', 'racks'),
        latest: await racksOf('latest', 'series'),
        readings: await racksOf('readings', 'readings'),
        overview,
        counts: counts.buckets.map(({ readings }) => readings),
        inList: all.cellars.find((one) => one.cellar === cellar)?.readingsLastHour,
      };
    };
    await setDays(7);
    expect(await seen()).toMatchObject({
      ...{ racks: ['new'], latest: ['new'], readings: ['new'] },
      ...{ overview: { readingsLastHour: 1, racksLastHour: 1 }, counts: [1], inList: 1 },
    });
    await setDays(30);
    expect(await seen()).toMatchObject({
      ...{ racks: ['new', 'old'], latest: ['new', 'old'], readings: ['new', 'old'] },
      ...{ overview: { readingsLastHour: 2, racksLastHour: 2 }, counts: [2], inList: 2 },
    });
  });
});

describe('CSV', () => {
  const rack = '=HYPERLINK("https://example.com")';
  beforeAll(() => harness.store([{ cellar: 'formulas', rack, keg: 'a;@b', value: -1 }]));

  test.each([
    { who: 'a person', format: 'csv', isSafe: true },
    { who: 'a key', format: 'csv', isSafe: false },
    { who: 'a key', format: 'csv-safe', isSafe: true },
    { who: 'a person', format: 'csv-plain', isSafe: false },
  ])('for $who as $format: formulas are escaped: $isSafe', async ({ who, format, isSafe }) => {
    const headers =
      who === 'a key'
        ? { 'x-api-key': (await harness.createKey('formulas')).secret }
        : { cookie: harness.cookie };
    const { text } = await harness.ask(`/cellars/formulas/readings?format=${format}`, headers);
    const apostrophe = isSafe ? "'" : '';
    const [, row] = text.split('\n');
    // A negative value is a number, not a formula.
    expect(row).toContain(`"${apostrophe}=HYPERLINK(""https://example.com"")","a;${apostrophe}@b",`);
    expect(row).toContain(',-1,');
  });

  test('for people has the units of the kegs in a last column', async () => {
    await harness.store([
      { cellar: 'units', keg: 'temperature', value: 21.5 },
      { cellar: 'units', keg: 'tilt; left', value: 3 },
      { cellar: 'units', keg: 'without', value: 4 },
    ]);
    const key = await harness.createKey('units');
    const put = (keg: string, unit: string) =>
      harness.manage('PUT', `/api/v1/cellars/units/kegs?keg=${encodeURIComponent(keg)}`, { unit });
    expect((await put('temperature', '°C')).status).toBe(200);
    expect((await put('tilt; left', '=1+1')).status).toBe(200);
    const csv = async (query: string, headers: Record<string, string> = { cookie: harness.cookie }) => {
      const { status, text } = await harness.ask(`/cellars/units/readings?${query}`, headers);
      expect(status).toBe(200);
      const [head, ...rows] = text.trimEnd().split('\n');
      return { head, last: rows.map((row) => row.slice(row.lastIndexOf(',') + 1)) };
    };
    const head = 'rack,keg,timestamp,value,receivedAt,unit';
    expect(await csv('format=csv')).toEqual({ head, last: ['"°C"', '"\'=1+1"', '""'] });
    expect(await csv('format=csv&keg=temperature')).toEqual({ head, last: ['"°C"'] });
    expect(await csv('format=csv-safe', { 'x-api-key': key.secret })).toMatchObject({ head });
    const plain = { head: 'rack,keg,timestamp,value,receivedAt' };
    expect(await csv('format=csv-plain')).toMatchObject(plain);
    expect(await csv('format=csv', { 'x-api-key': key.secret })).toMatchObject(plain);
  });
});
