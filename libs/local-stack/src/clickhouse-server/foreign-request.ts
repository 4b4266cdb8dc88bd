import type { IncomingMessage } from 'node:http';

const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Returns whether a browser sent this for a web page. A page of any site can send a POST without a preflight request, and can
 * read the response once its own host name resolves to this machine (DNS rebinding). Scripts and clients send neither `Origin`
 * nor `Sec-Fetch-Site`.
 *
 * https://web.dev/articles/fetch-metadata
 */
export function isForeign({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  if (!URL.canParse(`http://${host}`) || !OWN_NAMES.has(new URL(`http://${host}`).hostname)) return true;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin !== `http://${host}`;
}
