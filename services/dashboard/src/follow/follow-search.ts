import { searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export type FollowSearch = ReturnType<typeof readFollowSearch>;
export type ReadingIdentity = Required<FollowSearch>;

/** With all four the page shows a stored reading; without, it offers to send one. */
export const readFollowSearch = searchOf({ rack: text, keg: text, timestamp: text, value: number });

function number(search: Search, name: string): number | undefined {
  const value = Number(text(search, name));
  return Number.isFinite(value) ? value : undefined;
}

/** Returns undefined if a part of the identity is missing. */
export function identityOf({ rack, keg, timestamp, value }: FollowSearch): ReadingIdentity | undefined {
  if (rack === undefined || keg === undefined || timestamp === undefined || value === undefined)
    return undefined;
  return { rack, keg, timestamp, value };
}
