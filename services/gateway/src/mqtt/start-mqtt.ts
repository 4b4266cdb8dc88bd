import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ServerTls } from '@cellarman/tls';
import { Aedes } from 'aedes';
import type { Client } from 'aedes';
import type { LocalKey, LocalKeys } from '../local-keys.ts';
import { createAcceptMessage } from './accept-message.ts';
import type { AcceptMessageOptions } from './accept-message.ts';
import { boundPackets } from './bound-packets.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const BAD_CREDENTIALS = 4;

export interface MqttOptions extends AcceptMessageOptions {
  keys: LocalKeys;
  tls: ServerTls | undefined;
}

export interface Mqtt {
  url: string;
  stop(): Promise<void>;
}

/** Accepts publishers only: nobody can subscribe, and no message is retained. */
export async function startMqtt(options: MqttOptions): Promise<Mqtt> {
  const { config, keys, logger, tls } = options;
  const keyOf = new WeakMap<Client, LocalKey>();
  const accept = createAcceptMessage(options);

  const broker = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    authenticate(client, username, password, done) {
      const key = keys.findNamed(username ?? '', password?.toString() ?? '');
      if (key === undefined) {
        const error = Object.assign(new Error('bad user name or password'), { returnCode: BAD_CREDENTIALS });
        done(error, false);
        return;
      }
      keyOf.set(client, key);
      done(null, true);
    },
    // aedes writes PUBACK or PUBREC after the callback. An error closes the connection instead, and the device sends again.
    authorizePublish(client, packet, done) {
      const key = client === null ? undefined : keyOf.get(client);
      if (key === undefined) {
        done(new Error('not authenticated'));
        return;
      }
      packet.retain = false;
      accept({ key, topic: packet.topic, payload: Buffer.from(packet.payload) }).then(
        () => done(null),
        (error: unknown) => done(error as Error),
      );
    },
    authorizeSubscribe: (_client, _subscription, done) => done(null, null),
  });
  broker.on('clientError', ({ id }, { message }) =>
    logger.info({ clientId: id, reason: message }, 'MQTT connection closed'),
  );
  broker.on('connectionError', (_client, { message }) =>
    logger.info({ reason: message }, 'MQTT connection rejected'),
  );

  const handle = (socket: Socket) => boundPackets(broker.handle(socket), socket);
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
