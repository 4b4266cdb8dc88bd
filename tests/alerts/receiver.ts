import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  id: string;
  path: string;
  type: string;
  text: string;
  /** Of the alerts: `boiler-7 firing`. */
  alerts: string[];
  body: Record<string, unknown>;
}

/** An HTTP server that receives webhooks, as a customer would write one. */
export interface Receiver {
  /** Base URL on the loopback interface. */
  url: string;
  /** Whatever came, repetitions included. */
  received: Received[];
  /** Checks signatures from now on, as the published library does. */
  secret: string | undefined;
  /** Status of the next responses; 200 when they are used up. */
  statuses: number[];
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], secret: undefined, statuses: [], stop };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      try {
        if (receiver.secret !== undefined) new Webhook(receiver.secret).verify(text, headers);
        receiver.received.push(toReceived(headers['webhook-id'] ?? '', request.url ?? '', text));
        response.writeHead(receiver.statuses.shift() ?? 200, { location: `${receiver.url}/elsewhere` }).end();
      } catch (error) {
        response.writeHead(401).end(String(error));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function stop(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  return receiver;
}

interface Body extends Record<string, unknown> {
  type: string;
  text: string;
  data: { alerts: { state: string; subject: { name: string } }[] };
}

function toReceived(id: string, path: string, text: string): Received {
  const body = JSON.parse(text) as Body;
  const alerts = body.data.alerts.map(({ subject, state }) => `${subject.name} ${state}`);
  return { id, path, type: body.type, text: body.text, alerts, body };
}
