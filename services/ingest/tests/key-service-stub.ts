import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import type {
  Change,
  ChangesResponse,
  IngestHealth,
  KeyRecord,
  LastUsedRequest,
  LookupResponse,
  RejectionsRequest,
} from '@cellarman/contracts';
import {
  CHANGES_PATH,
  INGEST_HEALTH_PATH,
  LAST_USED_PATH,
  LOOKUP_PATH,
  REJECTIONS_PATH,
} from '@cellarman/contracts';
import { keyRecord } from '../../../libs/key-service-client/tests/key-record.ts';

/** The internal API of key-service over real HTTP, with its truth in memory, so that a test can change and break it. */
export interface KeyServiceStub {
  url: string;
  token: string;
  /** Adds a key and its change. Returns the text of the key. */
  addKey(record?: Partial<KeyRecord>): string;
  changeKey(apiKey: string, change: Partial<KeyRecord>): void;
  changeCellar(cellar: string, change: Partial<KeyRecord>): void;
  /** The history breaks off, as after a restored backup. */
  newEpoch(): void;
  /** Responds with errors only, or not at all. */
  break(how: 'errors' | 'hangs' | undefined): void;
  lookups: string[];
  uses: LastUsedRequest['uses'];
  rejectionReports: RejectionsRequest[];
  healthReports: IngestHealth[];
  close(): Promise<void>;
}

export async function startKeyServiceStub(): Promise<KeyServiceStub> {
  const token = 'token-of-the-tests';
  const records = new Map<string, KeyRecord>();
  const changes: Change[] = [];
  const lookups: string[] = [];
  const uses: LastUsedRequest['uses'] = [];
  const rejectionReports: RejectionsRequest[] = [];
  const healthReports: IngestHealth[] = [];
  let epoch = 'first';
  let broken: 'errors' | 'hangs' | undefined;

  const number = () => changes.length;
  const addChange = (hash: string) => changes.push({ number: number() + 1, kind: 'key', hash });

  function answerChanges(after: number): ChangesResponse {
    const complete = after <= number();
    return { epoch, number: number(), complete, more: false, changes: after < 0 ? [] : changes.slice(after) };
  }

  function answer(path: string, query: URLSearchParams, body: unknown): unknown {
    if (path === CHANGES_PATH) return answerChanges(Number(query.get('after')));
    if (path === LOOKUP_PATH) {
      const { hashes } = body as { hashes: string[] };
      lookups.push(...hashes);
      const answers = hashes.map((hash) => ({ epoch, number: number(), key: records.get(hash) ?? null }));
      return { answers } satisfies LookupResponse;
    }
    if (path === LAST_USED_PATH) uses.push(...(body as LastUsedRequest).uses);
    if (path === REJECTIONS_PATH) rejectionReports.push(body as RejectionsRequest);
    if (path === INGEST_HEALTH_PATH) healthReports.push(body as IngestHealth);
    return undefined;
  }

  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://key-service');
      if (broken === 'hangs') return;
      if (broken === 'errors') return void response.writeHead(500).end();
      if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
      const result = answer(url.pathname, url.searchParams, body);
      if (result === undefined) return void response.writeHead(204).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    lookups,
    uses,
    rejectionReports,
    healthReports,
    addKey(record = {}) {
      const apiKey = generateApiKey();
      const hash = hashApiKey(apiKey);
      records.set(hash, keyRecord({ ...record, hash }));
      addChange(hash);
      return apiKey;
    },
    changeKey(apiKey, change) {
      const hash = hashApiKey(apiKey);
      records.set(hash, { ...(records.get(hash) ?? keyRecord({ hash })), ...change });
      addChange(hash);
    },
    changeCellar(cellar, change) {
      for (const [hash, record] of records)
        if (record.cellar === cellar) records.set(hash, { ...record, ...change });
      changes.push({ number: number() + 1, kind: 'cellar', cellar });
    },
    newEpoch() {
      epoch += '-next';
      changes.length = 0;
    },
    break(how) {
      broken = how;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
}
