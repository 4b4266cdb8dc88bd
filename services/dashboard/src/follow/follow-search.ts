import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

/** With all four the page shows a stored reading; without, it offers to send one. */
export interface FollowSearch {
  rack?: string;
  keg?: string;
  timestamp?: string;
  value?: number;
}

export type ReadingIdentity = Required<FollowSearch>;

export function readFollowSearch(search: Search): FollowSearch {
  const value = Number(readText(search, 'value'));
  return present({
    rack: readText(search, 'rack'),
    keg: readText(search, 'keg'),
    timestamp: readText(search, 'timestamp'),
    value: Number.isFinite(value) ? value : undefined,
  });
}

/** Returns undefined if a part of the identity is missing. */
export function identityOf({ rack, keg, timestamp, value }: FollowSearch): ReadingIdentity | undefined {
  if (rack === undefined || keg === undefined || timestamp === undefined || value === undefined)
    return undefined;
  return { rack, keg, timestamp, value };
}
