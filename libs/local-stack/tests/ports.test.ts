import { expect, test } from 'vitest';
import { defaultPorts, freePorts, requireFreePorts, unusedPorts } from '../src/ports.ts';

test('ports that were given are given to nobody else, though nobody listens there yet', async () => {
  const asked = [await unusedPorts(20), ...(await Promise.all([unusedPorts(20), unusedPorts(20)]))];
  expect(new Set(asked.flat()).size).toBe(60);
});

test.each([
  [2000, 6000, 'ingest 1'],
  [2466, 6566, 'key-service'],
  [2367, 6667, 'query'],
])('with the offset %i, port %i is rejected for %s, as fetch and browsers do', async (offset, port, name) => {
  const start = requireFreePorts(defaultPorts({ offset }));
  await expect(start).rejects.toThrow(
    `Port ${port}, for ${name}, is one that browsers and fetch reject. Shift all ports with: npx -y pnpm@12 start --port-offset 1000`,
  );
});

test('an engine that speaks no HTTP may have such a port', async () => {
  const ports = await freePorts();
  ports.engines.redis = 6000;
  await requireFreePorts(ports);
});
