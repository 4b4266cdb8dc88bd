import { present, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export interface SignInSearch {
  /** The page to open after signing in, on this site. */
  next?: string;
  /** The previous session has ended. */
  ended?: boolean;
}

export function readSignInSearch(search: Search): SignInSearch {
  const next = readText(search, 'next');
  return present({
    next: next !== undefined && isOurs(next) ? next : undefined,
    ended: search['ended'] === true ? true : undefined,
  });
}

/** For a browser, `//elsewhere` and `/\elsewhere` are other sites. */
function isOurs(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}
