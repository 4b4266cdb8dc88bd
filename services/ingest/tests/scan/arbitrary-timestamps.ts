import fc from 'fast-check';

const two = (number: number) => String(number).padStart(2, '0');

const fraction = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constant('.') },
  {
    weight: 8,
    arbitrary: fc
      .string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 1, maxLength: 10 })
      .map((digits) => `.${digits}`),
  },
);

const real = fc
  .tuple(
    fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    fraction,
  )
  .map(([date, digits]) => `"${date.toISOString().slice(0, 19)}${digits}Z"`);

/** Each part near its limits, so that a good part of them are no dates. */
const nearly = fc
  .tuple(
    fc.constantFrom(
      '0000',
      '1600',
      '1900',
      '1969',
      '1970',
      '2000',
      '2024',
      '2026',
      '2100',
      '2262',
      '9999',
      '202',
      '20260',
    ),
    fc.integer({ min: 0, max: 13 }).map(two),
    fc.constantFrom(0, 1, 28, 29, 30, 31, 32).map(two),
    fc.constantFrom(0, 1, 12, 23, 24).map(two),
    fc.constantFrom(0, 59, 60).map(two),
    fc.constantFrom(0, 59, 60).map(two),
    fraction,
    fc.constantFrom('Z', 'Z', 'Z', 'Z', 'z', '+00:00', '', 'ZZ', '\\u005a'),
    fc.constantFrom('T', 'T', 'T', 'T', 't', ' '),
  )
  .map(
    ([year, month, day, hour, minute, second, digits, zone, separator]) =>
      `"${year}-${month}-${day}${separator}${hour}:${minute}:${second}${digits}${zone}"`,
  );

/** The ends of months and years, real and not. */
const calendarEdge = fc
  .tuple(
    fc.constantFrom('1600', '1900', '2000', '2023', '2024', '2100', '2400'),
    fc.constantFrom(
      '01-31',
      '01-01',
      '02-28',
      '02-29',
      '02-30',
      '03-01',
      '04-30',
      '04-31',
      '06-31',
      '09-31',
      '11-31',
      '12-31',
      '12-32',
    ),
    fc.constantFrom('00:00:00', '23:59:59', '24:00:00', '23:59:60'),
  )
  .map(([year, day, time]) => `"${year}-${day}T${time}Z"`);

export const arbitraryTimestamp = fc.oneof(
  { weight: 9, arbitrary: real },
  { weight: 1, arbitrary: nearly },
  { weight: 1, arbitrary: calendarEdge },
);
