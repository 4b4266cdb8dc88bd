import { subscribe } from 'node:diagnostics_channel';
import { afterEach, expect } from 'vitest';

/** Error codes that a route has returned though its OpenAPI does not list them. */
export const undeclaredErrors: unknown[] = [];

/* Setup of every test file: an undeclared error fails the test. */
subscribe('cellarman:undeclared-error', (error) => void undeclaredErrors.push(error));
afterEach(() => {
  expect(undeclaredErrors.splice(0), 'error codes that their route does not declare').toEqual([]);
});
