import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { tlsHint } from '@cellarman/tls';
import { Kafka, logLevel } from 'kafkajs';
import type { ISocketFactoryArgs, KafkaConfig } from 'kafkajs';
import { createKafkajsLog } from './kafkajs-log.ts';
import type { KafkaLogger } from './kafkajs-log.ts';

/** How to reach a Kafka cluster. The secrets in it never reach the logger. */
export interface KafkaConnection {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly logger: KafkaLogger;
  /** A function is called for each connection, so that a renewed certificate is used. */
  readonly tls?: ConnectionOptions | true | (() => ConnectionOptions);
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

export interface ClientTiming {
  /** @default 1000 */
  readonly connectTimeoutMs?: number;
  /** Timeout of a single request. kafkajs's own 30 s hide a hung broker for too long. @default 3000 */
  readonly requestTimeoutMs?: number;
}

export interface KafkaClient {
  readonly kafka: Kafka;
  /** Closes every connection immediately; a hung broker never completes a graceful disconnect. */
  destroy(): void;
}

const KEEP_ALIVE_MS = 30_000;

/** Every retry setting is spelled out, because kafkajs takes other defaults when NODE_ENV is "test". */
const CLUSTER_RETRY = { retries: 3, initialRetryTime: 100, maxRetryTime: 500, factor: 0.2, multiplier: 2 };

export function createKafkaClient(
  connection: KafkaConnection,
  { connectTimeoutMs = 1_000, requestTimeoutMs = 3_000 }: ClientTiming = {},
): KafkaClient {
  const sockets = new Set<Socket>();
  let destroyed = false;
  const config: KafkaConfig = {
    brokers: [...connection.brokers],
    clientId: connection.clientId,
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    enforceRequestTimeout: true,
    retry: CLUSTER_RETRY,
    logLevel: logLevel.INFO,
    logCreator: () => createKafkajsLog(connection.logger),
    socketFactory: (target) => {
      // kafkajs reconnects when it finds itself disconnected in the middle of a send.
      if (destroyed) throw new Error('connection dropped');
      const socket = openSocket(target, connection.tls);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  };
  if (connection.tls !== undefined) config.ssl = true;
  if (connection.sasl !== undefined) config.sasl = connection.sasl as NonNullable<KafkaConfig['sasl']>;
  return {
    kafka: new Kafka(config),
    destroy: () => {
      destroyed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSocket({ host, port, onConnect }: ISocketFactoryArgs, tls: KafkaConnection['tls']): Socket {
  const socket =
    tls === undefined
      ? connectTcp({ host, port }, onConnect)
      : connectTls(
          {
            ...{ host, port },
            ...(isIP(host) === 0 ? { servername: host } : {}),
            ...(tls === true ? {} : typeof tls === 'function' ? tls() : tls),
          },
          onConnect,
        );
  if (tls === undefined) rejectTls(socket, `${host}:${port}`);
  // kafkajs passes the text of an error on, and nothing else.
  socket.once('error', (error: Error) => {
    const hint = tlsHint(error);
    if (hint !== undefined) error.message = `${error.message.trim()} (${host}:${port}). ${hint}`;
  });
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  socket.setNoDelay(true);
  return socket;
}

/** What a port of TLS says to plain text begins like this. kafkajs would take it for a length, and wait for 350 MB. */
const TLS_ALERT = Buffer.from([0x15, 0x03]);

function rejectTls(socket: Socket, address: string): void {
  socket.once('data', (first: Buffer) => {
    if (first.subarray(0, TLS_ALERT.length).equals(TLS_ALERT)) {
      socket.destroy(new Error(`The broker at ${address} requires TLS: set KAFKA_TLS=true`));
    }
  });
}

/**
 * Returns the same cluster with another broker first. kafkajs always begins with the first of the list, and stays with it while
 * it hangs.
 */
export function startingAt(connection: KafkaConnection, index: number): KafkaConnection {
  const { brokers } = connection;
  const start = brokers.length === 0 ? 0 : index % brokers.length;
  return { ...connection, brokers: [...brokers.slice(start), ...brokers.slice(0, start)] };
}
