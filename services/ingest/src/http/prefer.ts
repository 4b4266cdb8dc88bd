/** What a client may prefer: about batches that are stored in part, or where a single reading is stored. */
export type Preference = 'handling=lenient' | 'return=representation';

/** An element of the list. A quoted string that never ends goes on to the end, so that the time is linear in the length. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;
const PREFERENCE = /^\s*([^\s=;]+)(?:\s*=\s*"?([^\s";]*))?/;

/** Parses the `Prefer` header (RFC 7240). Unknown preferences are ignored; of a name that is given twice, the first counts. */
export function parsePrefer(header: string | string[] | undefined): ReadonlySet<Preference> {
  const preferences = new Set<Preference>();
  if (header === undefined) return preferences;
  const seen = new Set<string>();
  for (const [element] of String(header).matchAll(ELEMENT)) {
    const [, name = '', value = ''] = PREFERENCE.exec(element.toLowerCase()) ?? [];
    if (seen.has(name)) continue;
    seen.add(name);
    if (name === 'handling' && value === 'lenient') preferences.add('handling=lenient');
    if (name === 'return' && value === 'representation') preferences.add('return=representation');
  }
  return preferences;
}
