import { DEFAULT_LINE_PROTOCOL_KEG } from '@cellarman/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsLength, writeFields } from '@cellarman/reading';
import { compileKegRule } from '../../src/line-protocol/keg-rule.ts';
import { readLineProtocol } from '../../src/line-protocol/read-line-protocol.ts';
import { mutated } from '../scan/mutate-bytes.ts';
import { escapeName } from './send-lines.ts';

const OPTIONS = {
  cellar: 'demo',
  rack: null,
  kegRule: compileKegRule(DEFAULT_LINE_PROTOCOL_KEG),
  fractionDigits: 9,
};

interface Read {
  stored: Record<string, unknown>[];
  rejected: { index: number | undefined; error: string }[];
}

/** Reads a body to its end, as `scanBatch` does. */
function read(body: Buffer): Read {
  const reader = readLineProtocol(body, OPTIONS);
  const { stored, rejected }: Read = { stored: [], rejected: [] };
  let before = 0;
  for (let reading = reader.next(); reading !== undefined; reading = reader.next()) {
    expect(reader.position).toBeGreaterThanOrEqual(before);
    before = reader.position;
    if (reading.ok) {
      const line = Buffer.alloc(fieldsLength(reading) + 1);
      line.write('}', writeFields(line, 0, reader.bytes, reading));
      stored.push(JSON.parse(line.toString()) as Record<string, unknown>);
    } else {
      rejected.push({ index: reader.line, error: reading.error });
    }
  }
  expect(reader.position).toBe(body.length);
  return { stored, rejected };
}

/** A name may not end with a backslash: it would escape what comes next. */
const name = fc
  .string({
    unit: fc.constantFrom(...Array.from('abcXYZ019._-/:;é🍺ก'), ' ', ',', '=', '\\', '"', '#', "'", '\u00a0'),
    minLength: 1,
    maxLength: 10,
  })
  .filter((text) => !text.endsWith('\\'));
const measurement = name.filter((text) => !text.startsWith('#'));
const tags = fc.dictionary(
  name.filter((key) => !['rack', 'host', 'device', 'entity_id'].includes(key)),
  name,
  { maxKeys: 4, noNullPrototype: true },
);
const number = fc.oneof(
  // The text of -0 is 0.
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map(String)
    .map((text) => ({ text, value: Number(text) })),
  fc
    .bigInt({ min: -(2n ** 53n), max: 2n ** 53n })
    .map((value) => ({ text: `${value}i`, value: Number(value) })),
  fc.bigInt({ min: 0n, max: 2n ** 53n }).map((value) => ({ text: `${value}u`, value: Number(value) })),
  // A float without a point that a double holds in part.
  fc
    .bigInt({ min: 2n ** 53n, max: 2n ** 63n })
    .map((value) => ({ text: String(value), value: Number(value) })),
  fc.nat().map((n) => ({ text: `00${n}.`, value: n })),
  fc.nat(999).map((n) => ({ text: `-.${n}5e+1`, value: Number(`-.${n}5e+1`) })),
);
const string = fc.string().map((text) => {
  const escaped = text.replaceAll(/["\\]/g, (character) => `\\${character}`);
  return { text: `"${escaped}"`, value: undefined };
});
const field = fc.tuple(name, fc.oneof({ weight: 5, arbitrary: number }, { weight: 1, arbitrary: string }));
const point = fc.record({
  measurement,
  rack: name,
  tags,
  fields: fc.array(field, { minLength: 1, maxLength: 5 }),
  seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
  nanoseconds: fc.nat(999_999_999),
});
type Point = typeof point extends fc.Arbitrary<infer T> ? T : never;

function toLine({ measurement: of, rack, tags: its, fields, seconds, nanoseconds }: Point): string {
  const pairs = [...Object.entries(its), ['rack', rack] as const];
  const head = [of, ...pairs.map(([key, value]) => [key, value])].map((part) =>
    [part].flat().map(escapeName).join('='),
  );
  const values = fields.map(([key, { text }]) => `${escapeName(key)}=${text}`);
  return `${head.join()} ${values.join()} ${seconds}${String(nanoseconds).padStart(9, '0')}`;
}

function toReadings({ measurement: of, rack, tags: its, fields, seconds, nanoseconds }: Point) {
  const sorted = Object.keys(its).sort((a, b) =>
    Buffer.compare(Buffer.from(escapeName(a)), Buffer.from(escapeName(b))),
  );
  const suffix = sorted.map((key) => `,${key}=${its[key]}`).join('');
  const fraction = String(nanoseconds).padStart(9, '0').replace(/0+$/, '');
  const time = new Date(seconds * 1_000).toISOString().slice(0, 19);
  const timestamp = `${time}${fraction === '' ? '' : '.'}${fraction}Z`;
  return fields.map(([key, { value }]) =>
    value === undefined
      ? undefined
      : { cellar: 'demo', rack, keg: `${of}.${key}${suffix}`, value, timestamp },
  );
}

test('what a client escapes is read as it was', () => {
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('\n', '\r\n', '\n\n# x=1\n'),
      (points, end) => {
        const { stored, rejected } = read(Buffer.from(points.map(toLine).join(end)));
        const expected = points.map(toReadings);
        // Whether a double holds a number is a rule of all readings.
        expect(stored).toEqual(expected.flat().filter((reading) => reading !== undefined));
        const strings = expected.flatMap((readings, index) =>
          readings.flatMap((r) => (r === undefined ? [index] : [])),
        );
        expect(rejected.map(({ index }) => index)).toEqual(strings);
      },
    ),
    { numRuns: 500 },
  );
});

test('any bytes are read to their end, and what is stored is valid', () => {
  const lines = fc
    .array(point, { minLength: 1, maxLength: 3 })
    .map((points) => points.map(toLine).join('\n'));
  const special = fc.constantFrom(...Array.from(',= "\\\n\r#tTi.u-1eé').map((text) => Buffer.from(text)));
  const noise = fc.array(special, { maxLength: 60 }).map((parts) => Buffer.concat(parts));
  fc.assert(
    fc.property(fc.oneof(mutated(lines), noise), (body) => {
      const { stored, rejected } = read(body);
      for (const reading of stored)
        expect(Object.keys(reading)).toEqual(['cellar', 'rack', 'keg', 'value', 'timestamp']);
      for (const { error } of rejected) expect(error).toMatch(/^[A-Z"]/);
    }),
    { numRuns: 1_500 },
  );
});
