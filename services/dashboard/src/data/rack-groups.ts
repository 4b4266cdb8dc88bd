const MOST_GROUPS = 3;

export interface RackGroup {
  prefix: string;
  racks: string[];
}

/** Returns the groups of racks whose names start alike up to a separator, the largest first. */
export function findRackGroups(racks: readonly string[]): RackGroup[] {
  const groups = new Map<string, string[]>();
  for (const rack of racks) {
    const prefix = /^.*?[-_./ ]/.exec(rack)?.[0];
    if (prefix !== undefined) groups.set(prefix, [...(groups.get(prefix) ?? []), rack]);
  }
  return [...groups]
    .map(([prefix, members]) => ({ prefix, racks: members }))
    .filter((group) => group.racks.length > 1)
    .toSorted((a, b) => b.racks.length - a.racks.length)
    .slice(0, MOST_GROUPS);
}
