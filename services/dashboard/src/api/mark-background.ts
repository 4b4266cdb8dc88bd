import type { Middleware } from 'openapi-fetch';

const HEADER = 'x-cellarman-background';
/** Requests within this time after an input count as the user's. */
const ATTENDED_MS = 30_000;

/** Marks the polls of an idle page, so that they do not extend the session. */
export function createMarkBackground(): Middleware {
  let lastInput = performance.now();
  for (const input of ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const) {
    window.addEventListener(input, () => (lastInput = performance.now()), { capture: true, passive: true });
  }
  return {
    onRequest({ request }) {
      if (performance.now() - lastInput > ATTENDED_MS) request.headers.set(HEADER, '1');
      return request;
    },
  };
}
