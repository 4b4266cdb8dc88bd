import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pages } from '@cellarman/http-api';
import { ApiError } from '@cellarman/http-api';

/** The placeholder in the built page that is replaced by the nonce of each response. */
const NONCE_WORD = 'CSP_NONCE';

/** Everything but these belongs to the pages of the dashboard. */
const OURS = /^\/(api|internal|metrics|assets)(\/|$)/;

/**
 * Returns the single page of the dashboard, which is served at every path of its own.
 *
 * @param directory holds the built dashboard; it may be built or rebuilt while the service runs
 */
export function createDashboardPage(directory: string): Pages {
  const file = join(directory, 'index.html');
  const send: Pages['send'] = async (reply) => {
    const html = await readBuilt(file);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': policy(nonce),
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        // For browsers that do not know `frame-ancestors`.
        'x-frame-options': 'DENY',
      })
      .send(html.replaceAll(NONCE_WORD, nonce));
  };
  return { isPage: (path) => !OURS.test(path), send };
}

async function readBuilt(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ApiError(
      'not_found',
      'The dashboard is not built. Run: npx -y pnpm@12 --filter @cellarman/dashboard build',
    );
  }
}

/** Only scripts of this service run, and they reach nothing else. The nonce is for style sheets that they add. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
