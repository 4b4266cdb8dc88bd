import { flag, searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

export const readSignInSearch = searchOf({
  /** The page to open after signing in, on this site. */
  next: ownPath,
  /** The previous session has ended. */
  ended: flag,
});

/** For a browser, `//elsewhere` and `/\elsewhere` are other sites. */
function ownPath(search: Search, name: string): string | undefined {
  const path = text(search, name);
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : undefined;
}
