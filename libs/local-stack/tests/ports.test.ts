import { expect, test } from 'vitest';
import { unusedPorts } from '../src/ports.ts';

test('ports that were given are given to nobody else, though nobody listens there yet', async () => {
  const asked = [await unusedPorts(20), ...(await Promise.all([unusedPorts(20), unusedPorts(20)]))];
  expect(new Set(asked.flat()).size).toBe(60);
});
