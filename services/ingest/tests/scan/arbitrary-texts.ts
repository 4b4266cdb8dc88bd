import fc from 'fast-check';

const SHORT_ESCAPES: Record<string, string> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '/': '\\/',
};

function escapeUnit(unit: number, upper: boolean): string {
  const hex = unit.toString(16).padStart(4, '0');
  return `\\u${upper ? hex.toUpperCase() : hex}`;
}

/** The literal of a text, each character as it is or by an escape. Half a surrogate pair always needs the escape. */
export function jsonString(text: string): fc.Arbitrary<string> {
  const style = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) });
  return fc.array(style, { minLength: 1, maxLength: 8 }).map((styles) => {
    const characters = Array.from(text, (character, index) => {
      const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
      const byEscape = () => units.map((unit) => escapeUnit(unit, index % 2 === 0)).join('');
      const chosen = styles[index % styles.length];
      if (chosen === 1 || !character.isWellFormed()) return byEscape();
      if (chosen === 2) return SHORT_ESCAPES[character] ?? character;
      // 3 leaves a raw control character, which JSON forbids.
      return chosen === 3 ? character : JSON.stringify(character).slice(1, -1);
    });
    return `"${characters.join('')}"`;
  });
}

const codeUnit = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.constantFrom(0, 0x1f, 0x7f, 0x80, 0x9f, 0xa0, 0x7ff, 0x800, 0x2028, 0xfeff, 0xfffe, 0xffff),
    fc.integer({ min: 0xd7ff, max: 0xe000 }),
  )
  .map((unit) => String.fromCharCode(unit));
const codePoint = fc.oneof(
  fc.constantFrom('a', 'r', '1', ' ', '"', '\\', '/', 'é', 'ü', '🍺', '\u{10000}', '\u{10ffff}', 'ก'),
  codeUnit,
);

export const arbitraryText = fc.string({ unit: codePoint, maxLength: 12 }).chain(jsonString);

const longText = fc
  .tuple(fc.constantFrom('r', 'é', 'ก', '🍺', '\n'), fc.constantFrom(1, 2, 63, 64, 65, 255, 256, 257, 600))
  .map(([unit, length]) => unit.repeat(length))
  .chain(jsonString);

const ordinaryName = fc
  .string({ unit: fc.constantFrom(...Array.from('abcxyz019-_ /:é🍺')), minLength: 1, maxLength: 20 })
  .chain(jsonString);

export const arbitraryName = fc.oneof(
  { weight: 12, arbitrary: ordinaryName },
  { weight: 1, arbitrary: arbitraryText },
  { weight: 1, arbitrary: longText },
);

const ordinaryCellar = fc
  .string({ unit: fc.constantFrom(...Array.from('abzABZ019')), minLength: 1, maxLength: 10 })
  .chain(jsonString);
const nearlyCellar = fc
  .string({
    unit: fc.constantFrom(...Array.from('azAZ09._-'), '@', '[', '`', '{', '/', ':', 'é', '\n'),
    maxLength: 6,
  })
  .chain(jsonString);

export const arbitraryCellar = fc.oneof(
  { weight: 20, arbitrary: ordinaryCellar },
  { weight: 2, arbitrary: nearlyCellar },
  { weight: 1, arbitrary: longText },
);
