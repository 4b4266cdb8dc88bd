import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Figures } from '../src/tally.ts';
import { accept, type IngestStub, reject, type Respond, startIngestStub } from './ingest-stub.ts';

vi.setConfig({ testTimeout: 30_000 });

const mainFile = join(import.meta.dirname, '../src/main.ts');
let directory: string;
let server: IngestStub;
let respond: Respond;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-simulator-'));
  respond = accept;
  server = await startIngestStub((...answer) => respond(...answer));
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

function simulator(...options: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [mainFile, ...options], (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr });
    });
  });
}

async function runFile(): Promise<string> {
  const file = join(directory, 'run.json');
  await writeFile(
    file,
    JSON.stringify({ ingestUrls: [server.url], demo: { cellar: 'demo', apiKey: 'cm_demo' } }),
  );
  return file;
}

it('needs no option but the run.json of a stack that runs, and ends with 0 when all is delivered', async () => {
  const { code, stdout } = await simulator('--run-file', await runFile(), '--count', '30', '--rate', 'max');
  expect(stdout).toContain('All 30 readings were acknowledged.');
  expect(code).toBe(0);
  expect(JSON.parse(server.bodies[0] ?? '')).toMatchObject({ cellar: 'demo' });
});

it('takes options over run.json', async () => {
  const { stdout } = await simulator(
    '--run-file',
    await runFile(),
    '--cellar',
    'other',
    '--count',
    '1',
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject({ sent: 1, accepted: 1 });
  expect(JSON.parse(server.bodies[0] ?? '')).toMatchObject({ cellar: 'other' });
});

it('ends with 1 when something was not delivered, and says why', async () => {
  respond = reject(403, 'cellar_mismatch');
  const { code, stdout } = await simulator('--run-file', await runFile(), '--count', '3');
  expect(stdout).toContain('3 of 3 readings were not acknowledged.');
  expect(stdout).toContain('cellar_mismatch 3');
  expect(code).toBe(1);
});

it('prints its summary on Ctrl-C', async () => {
  const child = spawn(process.execPath, [mainFile, '--run-file', await runFile(), '--json']);
  const exit = once(child, 'exit');
  const output = text(child.stdout);
  await vi.waitFor(() => expect(server.bodies.length).toBeGreaterThan(20), { timeout: 20_000 });
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  const figures = JSON.parse(await output) as Figures;
  expect(figures.accepted).toBe(server.bodies.length);
});

it.each([
  [['--racks', '0'], '--racks must be a positive number'],
  [['--rate', 'fast'], '--rate must be a positive number'],
  [['--nonsense'], "Unknown option '--nonsense'"],
])('says what is wrong with %j and ends with 2', async (options, complaint) => {
  const complete = ['--api-key', 'k', '--url', server.url, '--cellar', 'demo'];
  const { code, stderr } = await simulator(...complete, ...options);
  expect(stderr).toContain(complaint);
  expect(stderr).toContain('Usage:');
  expect(code).toBe(2);
});
