import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface SignInSearch {
  /** The page to go on with, on this site. */
  next?: string;
  /** A session was there, and has ended. */
  ended?: boolean;
}

export function readSignInSearch(search: Search): SignInSearch {
  const next = readText(search, 'next');
  return present({
    next: next !== undefined && isOurs(next) ? next : undefined,
    ended: search['ended'] === true ? true : undefined,
  });
}

/** `//elsewhere` and `/\elsewhere` are other sites to a browser. */
function isOurs(address: string): boolean {
  return /^\/(?![/\\])/.test(address);
}
