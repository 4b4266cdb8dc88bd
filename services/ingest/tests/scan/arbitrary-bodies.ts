import fc from 'fast-check';
import { arbitraryNumberLiteral } from './arbitrary-numbers.ts';
import { arbitraryTimestamp } from './arbitrary-timestamps.ts';
import { arbitraryCellar, arbitraryName, arbitraryText, jsonString } from './arbitrary-texts.ts';

type Member = [key: string, value: string];

const NESTED = [
  '{}',
  '[]',
  '[1,{"rack":"a"}]',
  '{"value":1,"value":2}',
  '[[[[]]]]',
  '{"a":{"b":[]}}',
  '{"a":01}',
  '{"a":1]',
  '[1}',
  '[{]}',
];
const SCALARS = ['null', 'true', 'false', 'nul', '"7"', '7', '""', 'NaN', '"\\ud800"', '-', '1e999'];

/** Now and then a key is written with escapes. */
const keyOf = (name: string) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(`"${name}"`) }, { weight: 1, arbitrary: jsonString(name) });

const members = fc.tuple(
  fc.tuple(keyOf('cellar'), arbitraryCellar),
  fc.tuple(keyOf('rack'), arbitraryName),
  fc.tuple(keyOf('keg'), arbitraryName),
  fc.tuple(keyOf('value'), arbitraryNumberLiteral),
  fc.tuple(keyOf('timestamp'), arbitraryTimestamp),
);

const anyKey = fc.oneof(
  fc
    .constantFrom('cellar', 'rack', 'keg', 'value', 'timestamp', 'Value', 'values', 'rac', '', '__proto__')
    .chain(jsonString),
  arbitraryText,
);
const anyValue = fc.oneof(
  fc.constantFrom(...NESTED, ...SCALARS),
  fc.json({ maxDepth: 3 }),
  arbitraryName,
  arbitraryNumberLiteral,
  arbitraryTimestamp,
);

/** Changes of structure: what a careless client or an attacker does to the members. */
const change: fc.Arbitrary<(list: Member[]) => Member[]> = fc.oneof(
  fc.nat(4).map((at) => (list: Member[]) => list.toSpliced(at, 1)),
  fc.tuple(fc.nat(5), anyKey, anyValue).map(
    ([at, key, value]) =>
      (list: Member[]) =>
        list.toSpliced(at, 0, [key, value]),
  ),
  fc.tuple(fc.nat(4), anyValue).map(
    ([at, value]) =>
      (list: Member[]) =>
        list.map((member, index): Member => (index === at ? [member[0], value] : member)),
  ),
  fc.tuple(fc.nat(4), fc.nat(5)).map(
    ([from, to]) =>
      (list: Member[]) =>
        list.toSpliced(to, 0, ...list.slice(from, from + 1)),
  ),
);

const space = fc.oneof(
  { weight: 20, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('\v', '\f', '\u00a0', '\u2028', '\ufeff', '\0', '//') },
);

const goodOrdered = members.chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

/** Bodies that are readings, or nearly. */
export const arbitraryBody: fc.Arbitrary<string> = fc
  .tuple(
    goodOrdered,
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.array(change, { maxLength: 2 }) },
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(space, { maxLength: 24 }) },
    ),
    fc.oneof(
      { weight: 30, arbitrary: fc.constant(['{', '}'] as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ['[{', '}]'],
          ['', ''],
          ['{', '}}'],
          ['{,', '}'],
          ['{', ',}'],
          ['\ufeff{', '}'],
        ),
      },
    ),
  )
  .map(([list, changes, spaces, [open, close]]) => {
    const changed = changes.reduce((before: Member[], apply) => apply(before), list);
    const tokens = changed.flatMap(([key, value], index) => [index === 0 ? '' : ',', key, ':', value]);
    return [open, ...tokens, close].map((token, index) => token + (spaces[index] ?? '')).join('');
  });
