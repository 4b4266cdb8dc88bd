import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SNIPPETS } from '../src/keys/snippet-texts.ts';

const API_KEY = 'cm_0123456789';
/** Every character is special in one of the languages. */
const RACK = `it's "rack" \\n $HOME \`x\` %s {1} ünit`;

interface Received {
  url: string | undefined;
  apiKey: string | string[] | undefined;
  body: unknown;
}

/** Receives one request and responds like ingest. */
async function receiver() {
  let resolveReceived: (received: Received) => void;
  const received = new Promise<Received>((resolve) => (resolveReceived = resolve));
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      resolveReceived({ url: request.url, apiKey: request.headers['x-api-key'], body: JSON.parse(body) });
      response.setHeader('content-type', 'application/json').end('{"status":"success"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const RUN = {
  curl: (program: string) => ['bash', '-c', `${program} --silent --max-time 10`],
  Node: (program: string) => [process.execPath, '--input-type=module', '--eval', program],
  Python: (program: string) => ['python3', '-c', program],
} as const;

describe('an example that is pasted', () => {
  it.for(['curl', 'Node', 'Python'] as const)(
    '%s sends the reading that it shows',
    async (name, { skip }) => {
      const { url, received } = await receiver();
      const program = SNIPPETS.find((snippet) => snippet.name === name)?.write({
        ...{ ingestUrl: `${url}/`, cellar: 'demo', rack: RACK, apiKey: API_KEY },
      });
      const [command = '', ...args] = RUN[name](program ?? '');
      await promisify(execFile)(command, args).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') skip(`${command} is not installed`);
        throw error;
      });
      expect(await received).toEqual({
        url: '/api/v1/ingest',
        apiKey: API_KEY,
        body: {
          ...{ cellar: 'demo', rack: RACK, keg: 'temperature', value: 11.4 },
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string,
        },
      });
    },
  );

  it('for Arduino has the names as literals of C', () => {
    const program = SNIPPETS.find(({ name }) => name.startsWith('Arduino'))?.write({
      ...{ ingestUrl: 'https://in.example', cellar: 'demo', rack: 'a "b"', apiKey: API_KEY },
    });
    expect(program).toContain('"rack\\":\\"a \\\\\\"b\\\\\\"\\"');
  });

  it('for Arduino verifies the server where there is one to verify', () => {
    const write = (ingestUrl: string) =>
      SNIPPETS.find(({ name }) => name.startsWith('Arduino'))?.write({
        ...{ ingestUrl, cellar: 'demo', rack: 'r', apiKey: API_KEY },
      });
    expect(write('https://in.example')).toContain(
      'http.begin("https://in.example/api/v1/ingest", SERVER_CA)',
    );
    expect(write('https://in.example')).toContain('const char* SERVER_CA = R"(-----BEGIN CERTIFICATE-----\n');
    expect(write('http://10.0.0.1:4000')).toContain('http.begin("http://10.0.0.1:4000/api/v1/ingest")');
    expect(write('http://10.0.0.1:4000')).not.toContain('SERVER_CA');
  });
});
