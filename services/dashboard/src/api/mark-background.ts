import type { Middleware } from 'openapi-fetch';

const HEADER = 'x-cellarman-background';
/** Requests within this time after an input count as the user's. */
const ATTENDED_MS = 30_000;

let lastInput = performance.now();
for (const input of ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const) {
  window.addEventListener(input, () => (lastInput = performance.now()), { capture: true, passive: true });
}

/** Marks the requests of an idle page, so that they do not extend the session. */
export function markBackground(headers: Headers): void {
  if (performance.now() - lastInput > ATTENDED_MS) headers.set(HEADER, '1');
}

export function createMarkBackground(): Middleware {
  return {
    onRequest({ request }) {
      markBackground(request.headers);
      return request;
    },
  };
}
