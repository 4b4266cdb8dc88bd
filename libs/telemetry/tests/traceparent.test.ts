import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTraceparent, linksFromTraceparents, parseTraceparent } from '../src/index.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('is written as W3C says', () => {
    expect(formatTraceparent({ traceId: TRACE, spanId: SPAN, traceFlags: 1 })).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(formatTraceparent({ traceId: TRACE, spanId: SPAN, traceFlags: 0 })).toBe(`00-${TRACE}-${SPAN}-00`);
  });

  it('is left out while tracing is off', () => {
    expect(
      formatTraceparent({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
    ).toBeUndefined();
  });

  it('is read from text and from the bytes of a Kafka header', () => {
    const expected = { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true };
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual(expected);
    expect(parseTraceparent(Buffer.from(`00-${TRACE}-${SPAN}-01`))).toEqual(expected);
  });

  it('of a later version is read as far as it is known', () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`)).toMatchObject({
      traceId: TRACE,
      traceFlags: 1,
    });
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01x`,
    `cc-${TRACE}-${SPAN}-01x`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  ])('that is malformed is no trace: %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('never throws, and what it accepts it writes back', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)),
        (text) => {
          const context = parseTraceparent(text);
          if (context !== undefined) expect(formatTraceparent(context)?.slice(3)).toBe(text.slice(3, 55));
        },
      ),
    );
  });
});

describe('links of a batch', () => {
  const header = (span: number, flags: '00' | '01') =>
    `00-${TRACE}-${String(span).padStart(16, '0')}-${flags}`;

  it('lead to each recorded trace once', () => {
    const links = linksFromTraceparents([
      header(1, '01'),
      header(1, '01'),
      undefined,
      header(2, '00'),
      'x',
      header(3, '01'),
    ]);
    expect(links.map((link) => Number(link.context.spanId))).toEqual([1, 3]);
  });

  it('are bounded', () => {
    const headers = Array.from({ length: 100 }, (_, index) => header(index + 1, '01'));
    expect(linksFromTraceparents(headers, 5)).toHaveLength(5);
  });
});
