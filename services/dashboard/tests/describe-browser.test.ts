import { describe, expect, it } from 'vitest';
import { describeBrowser } from '../src/account/describe-browser.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a session names its browser', () => {
  it.each([
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
      'Edge on Windows',
    ],
    [`${MOZILLA} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox on Linux'],
    [
      `${MOZILLA} (Linux; Android 16; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1`,
      'Safari on iOS',
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`,
      'Safari on macOS',
    ],
    ['curl/8.17.0', 'curl/8.17.0'],
    ['x'.repeat(500), 'x'.repeat(40)],
    ['', 'Unknown'],
    [null, 'Unknown'],
  ])('%s is %s', (userAgent, name) => {
    expect(describeBrowser(userAgent)).toBe(name);
  });
});
