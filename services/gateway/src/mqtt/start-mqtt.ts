import { ClientError } from '@cellarman/client';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerTls } from '@cellarman/tls';
import { Aedes } from 'aedes';
import type { Client } from 'aedes';
import type { LocalKeys } from '../local-keys.ts';
import type { Spool } from '../spool.ts';
import { COMMANDS, createRequestRebirth } from '../sparkplug/request-rebirth.ts';
import { createAcceptMessage } from './accept-message.ts';
import type { AcceptMessageOptions, Sender } from './accept-message.ts';
import { createPutInOrder } from './put-in-order.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** aedes itself would buffer 256 MiB, also for a client that has not connected yet. */
const MAX_PACKET_BYTES = 65_536;
const BAD_CREDENTIALS = 4;
/** Of MQTT 5. */
const QUOTA_EXCEEDED = 0x97;
const SERVER_BUSY = 0x89;

/** A message without a valid reading. With MQTT 5 the device gets the reason, in a PUBACK with the reason code 0x87. */
class RejectedMessage extends Error {}

export interface MqttOptions extends AcceptMessageOptions {
  keys: LocalKeys;
  spool: Pick<Spool, 'put'>;
  tls: ServerTls | undefined;
}

export interface Mqtt {
  url: string;
  stop(): Promise<void>;
}

/**
 * Accepts publishers only: no message is retained or passed on. With Sparkplug B, edge nodes can subscribe to their commands, of
 * which the gateway sends one.
 */
export async function startMqtt(options: MqttOptions): Promise<Mqtt> {
  const { config, keys, spool, logger, tls } = options;
  const senders = new WeakMap<Client, Sender>();
  const accept = createAcceptMessage({
    ...options,
    requestRebirth: createRequestRebirth((packet) => broker.publish(packet, () => undefined), logger),
  });

  const broker = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    maximumPacketSize: MAX_PACKET_BYTES,
    authenticate(client, username, password, done) {
      const key = keys.findNamed(username ?? '', password?.toString() ?? '');
      if (key === undefined) {
        const error = Object.assign(new Error('bad user name or password'), { returnCode: BAD_CREDENTIALS });
        done(error, false);
        return;
      }
      senders.set(client, { key, put: createPutInOrder(spool) });
      done(null, true);
    },
    // aedes writes PUBACK or PUBREC after the callback.
    authorizePublish(client, packet, done) {
      const sender = client === null ? undefined : senders.get(client);
      if (client === null || sender === undefined) {
        done(new Error('not authenticated'));
        return;
      }
      const { topic } = packet;
      packet.retain = false;
      // Nobody can subscribe to this, so that no device sends commands to another.
      packet.topic = `received/${topic}`;
      accept(sender, { topic, payload: Buffer.from(packet.payload) }).then(
        // MQTT 3.1.1 has no words for a rejection, and sending the message again would not help.
        (reason) => done(reason === undefined || client.version !== 5 ? null : new RejectedMessage(reason)),
        (error: unknown) => closeUnstored(client, error as Error, done),
      );
    },
    authorizeSubscribe: (_client, subscription, done) =>
      done(
        null,
        config.SPARKPLUG_RACK !== undefined && COMMANDS.test(subscription.topic) ? subscription : null,
      ),
  });
  broker.on('clientError', ({ id }, error) => {
    if (!(error instanceof RejectedMessage))
      logger.info({ clientId: id, reason: error.message }, 'MQTT connection closed');
  });
  broker.on('connectionError', (_client, { message }) =>
    logger.info({ reason: message }, 'MQTT connection rejected'),
  );

  const handle = (socket: Socket) => void broker.handle(socket);
  const server: Server = tls === undefined ? createServer(handle) : createTlsServer(tls.options, handle);
  tls?.follow(server as never);
  server.maxConnections = config.MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.MQTT_PORT, config.HOST, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? 'mqtt' : 'mqtts'}://${address}:${port}`;
  logger.info({ url }, 'serving MQTT');

  return {
    url,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => broker.close(() => resolve()));
      await closed;
    },
  };
}

/** Closes the connection instead of acknowledging, and the device sends again. Only MQTT 5 has words for the reason. */
function closeUnstored(client: Client, error: Error, done: (error: Error) => void): void {
  if (client.version !== 5) {
    done(error);
    return;
  }
  const isFull = error instanceof ClientError && error.code === 'spool_full';
  const properties = { reasonString: `The gateway cannot store readings now: ${error.message}` };
  client.disconnect({ reasonCode: isFull ? QUOTA_EXCEEDED : SERVER_BUSY, properties });
}
