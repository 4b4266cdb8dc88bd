import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const client = join(import.meta.dirname, '..');
const PROGRAM = `
import { ClientError, openClient } from '@cellarman/client';
import type { Client, ClientOptions } from '@cellarman/client';

const options: ClientOptions = { url: 'http://127.0.0.1:1', apiKey: 'cm_', spool: 'spool', cellar: 'demo', onProblem() {} };
const client: Client = await openClient(options);
await client.put([{ rack: 'r', keg: 'k', value: 1 }, { rack: 'r', keg: 'k', value: 2, timestamp: new Date() }]);
const second = await openClient(options).catch((error: unknown) => error instanceof ClientError && error.code);
const withoutKey = await openClient({ ...options, apiKey: undefined }).catch((error: unknown) => error instanceof ClientError && error.code);
console.log(JSON.stringify({ ...(await client.close(0)), second, withoutKey }));
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarman-package-'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

test('a project that installs the package can compile and run it, and keeps readings over a restart', async () => {
  await run(process.execPath, [join(client, 'build.ts')]);
  await run('npm', ['pack', join(client, 'dist'), '--pack-destination', folder]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', './cellarman-client-0.1.0.tgz'], { cwd: folder });
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const flags = '--ignoreConfig --strict --module nodenext --target es2024 --lib es2024,dom --noEmitOnError';
  await run(process.execPath, [tsc, ...flags.split(' '), 'program.ts'], { cwd: folder });
  const start = () => run(process.execPath, ['program.js'], { cwd: folder });
  const rejected = { second: 'spool_locked', withoutKey: 'invalid_options' };
  expect(JSON.parse((await start()).stdout)).toEqual({ waiting: 2, ...rejected });
  expect(JSON.parse((await start()).stdout)).toEqual({ waiting: 4, ...rejected });
}, 120_000);
