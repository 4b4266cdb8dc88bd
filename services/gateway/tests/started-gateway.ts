import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { startService } from '@cellarman/lifecycle';
import mqtt from 'mqtt';
import type { IClientOptions, MqttClient } from 'mqtt';
import { loadConfig } from '../src/config.ts';
import { gateway } from '../src/start.ts';

export const KEY = generateApiKey();
export const PRESS_KEY = generateApiKey();

export interface StartedGateway {
  url: string;
  folder: string;
  /** The lines that the stub of ingest got. */
  received: Record<string, unknown>[];
  post(path: string, body: string | Buffer, headers?: Record<string, string>): Promise<Response>;
  /** A connection of mqtt.js, which rejects instead of reconnecting. */
  connect(options?: IClientOptions): Promise<MqttClient>;
  stop(): Promise<void>;
}

/** The service in this process, and a server that confirms every batch and every claim. */
export async function startGateway(env: Record<string, string> = {}): Promise<StartedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'cellarman-gateway-'));
  const received: Record<string, unknown>[] = [];
  async function confirm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const lines = body.toString().trim().split('\n');
    received.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    response.setHeader('content-type', 'application/json');
    const isClaim = request.url === '/api/v1/claims';
    response.end(
      JSON.stringify(isClaim ? { apiKey: generateApiKey() } : { status: 'success', accepted: lines.length }),
    );
  }
  const ingest = createServer((request, response) => void confirm(request, response));
  await new Promise<void>((resolve) => ingest.listen(0, '127.0.0.1', resolve));

  const config = loadConfig({
    LOG_LEVEL: 'silent',
    PORT: '0',
    MQTT_PORT: '0',
    INGEST_URL: `http://127.0.0.1:${(ingest.address() as AddressInfo).port}`,
    ...('CLAIM_CODE' in env ? {} : { API_KEY: generateApiKey() }),
    CELLAR: 'demo',
    LOCAL_KEYS: `all=${hashApiKey(KEY)},press/press-=${hashApiKey(PRESS_KEY)}`,
    MQTT_TOPICS: 'site/+/{rack},{cellar}/{rack}/{keg}',
    SPOOL_FILE: join(folder, 'spool'),
    ...env,
  });
  const running = await startService(gateway, config);
  return {
    url: running.url,
    folder,
    received,
    post: (path, body, headers = {}) =>
      fetch(running.url + path, {
        method: 'POST',
        body,
        headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
      }),
    connect: (options = {}) =>
      mqtt.connectAsync(
        running.mqttUrl ?? '',
        { username: 'all', password: KEY, reconnectPeriod: 0, connectTimeout: 5_000, ...options },
        false,
      ),
    async stop() {
      await running.stop((_name, run) => run());
      ingest.closeAllConnections();
      await new Promise((resolve) => ingest.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
