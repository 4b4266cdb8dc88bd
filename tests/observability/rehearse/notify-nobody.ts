import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unusedPorts } from '@cellarman/local-stack';
import { askManagement } from './management.ts';
import type { Scene } from './scene.ts';

const pathOf = ({ run }: Scene) => `/api/v1/cellars/${run.demo.cellar}`;

/** Creates a rule that fires for the devices' values, and a webhook where nothing listens. */
export async function notifyNobody(scene: Scene): Promise<void> {
  const ask = await askManagement(scene.run);
  const [port = 0] = await unusedPorts(1);
  const { destination } = await ask<{ destination: { id: string } }>(
    'POST',
    `${pathOf(scene)}/alert-destinations`,
    { kind: 'webhook', name: 'on call', url: `http://127.0.0.1:${port}/` },
  );
  await ask('POST', `${pathOf(scene)}/alert-rules`, {
    ...{ name: 'rehearsal', destinations: [destination.id] },
    condition: {
      ...{ kind: 'keg_value', rack: null, rackPrefix: null, keg: 'temperature' },
      ...{ above: -1e300, below: null, forSeconds: 0 },
    },
  });
}

/** Starts a receiver, and gives its URL to the destination. */
export async function receiveAgain(scene: Scene): Promise<undefined> {
  const ask = await askManagement(scene.run);
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scene.undo.push(() => server.close());
  const { destinations } = await ask<{ destinations: { id: string }[] }>(
    'GET',
    `${pathOf(scene)}/alert-destinations`,
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await ask('PATCH', `${pathOf(scene)}/alert-destinations/${destinations[0]?.id ?? ''}`, { url });
  return undefined;
}
