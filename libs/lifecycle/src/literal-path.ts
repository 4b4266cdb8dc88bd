/**
 * Whether a request target is the path of its route byte for byte, apart from the query string. Routers decode
 * percent-encoding and drop scheme and host; a proxy that decides by path may not.
 */
export function isLiteralPath(target: string | undefined, path: string): boolean {
  return target === path || target?.startsWith(`${path}?`) === true;
}
