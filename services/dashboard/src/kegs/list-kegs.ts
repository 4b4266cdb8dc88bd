import type { KegSettings } from '../api/resources.ts';

export interface ListedKeg {
  keg: string;
  /** How many racks have sent it. Undefined: unknown. */
  racks: number | undefined;
  settings: KegSettings | undefined;
}

/** Merges the kegs that were sent with those that have settings, by name. */
export function listKegs(
  sent: readonly { keg: string; racks: number }[] | undefined,
  settings: ReadonlyMap<string, KegSettings>,
): ListedKeg[] {
  const racks = new Map(sent?.map((each) => [each.keg, each.racks]));
  const names = new Set([...racks.keys(), ...settings.keys()]);
  return [...names]
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((keg) => ({
      keg,
      racks: sent === undefined ? undefined : (racks.get(keg) ?? 0),
      settings: settings.get(keg),
    }));
}
