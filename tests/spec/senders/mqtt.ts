import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';

/** Debian's, which `.ci/run` installs, and where other systems have it. */
const PLACES = ['/usr/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto', '/usr/local/sbin/mosquitto'];
/** Undefined: this machine has none. */
export const mosquittoPath = PLACES.find((place) => existsSync(place));

export interface Message {
  topic: string;
  payload: string;
}

export interface Broker {
  port: number;
  /** Resolves when the broker has acknowledged all. */
  publish(messages: readonly Message[]): Promise<void>;
  stop(): Promise<void>;
}

/** Mosquitto with the settings of docs/mqtt.md. */
export async function startBroker(python: string, folder: string, port: number): Promise<Broker> {
  const settings = join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'user root',
    'persistence true',
    `persistence_location ${folder}/`,
    'max_queued_messages 0',
    'max_inflight_messages 1000',
  ];
  await writeFile(settings, `${lines.join('\n')}\n`);
  const broker = spawn(mosquittoPath ?? 'mosquitto', ['-c', settings], { stdio: 'ignore' });
  await vi.waitFor(() => connected(port), { timeout: 20_000, interval: 50 });
  return {
    port,
    async publish(messages) {
      const script = join(import.meta.dirname, 'publish.py');
      const publisher = promisify(execFile)(python, [script, String(port)]);
      publisher.child.stdin?.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
      await publisher;
    },
    stop: () => kill(broker),
  };
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function connected(port: number): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
