const PLACEHOLDER = /\{(measurement|tags|tag:([^{}]+))\}/g;

/** Returns the parts of the keg of a line that the name of each field goes between. */
export type KegRule = (
  measurement: string,
  tags: ReadonlyMap<string, string>,
  rackTag: string | undefined,
) => string[];

/**
 * Compiles the rule of a cellar, such as `{measurement}.{field}{tags}`.
 *
 * @param rule as `lineProtocolKegSchema` defines it
 */
export function compileKegRule(rule: string): KegRule {
  // As the bytes of the lines, each a character.
  const parts = Buffer.from(rule).toString('latin1').split('{field}');
  const named = new Set(Array.from(parts.join('').matchAll(PLACEHOLDER), ([, , tag]) => tag));
  return (measurement, tags, rackTag) => {
    const others = () => {
      let text = '';
      for (const [name, value] of tags) {
        if (name !== rackTag && !named.has(name)) text += `,${name}=${value}`;
      }
      return text;
    };
    return parts.map((part) =>
      part.replaceAll(PLACEHOLDER, (_, placeholder: string, tag: string | undefined) => {
        if (tag !== undefined) return tags.get(tag) ?? '';
        return placeholder === 'measurement' ? measurement : others();
      }),
    );
  };
}
