import type { IncomingMessage } from 'node:http';

const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a web page made a browser send this. A page of any site can send a POST without asking first, and read the
 * response too once its own name resolves to this machine (DNS rebinding). Scripts and clients send neither `Origin`
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
