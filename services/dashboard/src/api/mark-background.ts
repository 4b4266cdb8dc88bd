import type { Middleware } from 'openapi-fetch';

const HEADER = 'x-cellarman-background';
/** What is requested within this time of an input is done for the person. */
const ATTENDED_MS = 30_000;

/** Marks the polls of a page that nobody works with, so that they do not keep the session from ending. */
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
