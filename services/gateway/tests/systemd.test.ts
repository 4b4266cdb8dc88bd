import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const UNITS = join(ROOT, 'deploy', 'systemd');
const UNIT = 'cellarman-gateway.service';
const DROP_IN = `${UNIT}.d/claim.conf`;
const ANALYZE = '/usr/bin/systemd-analyze';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarman-unit-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the values of a setting in a unit and its drop-in. An empty value removes those before it. */
async function settings(files: readonly string[], name: string): Promise<string[]> {
  const text = (await Promise.all(files.map((file) => readFile(join(UNITS, file), 'utf8')))).join('\n');
  const values = [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  return values.slice(values.lastIndexOf('') + 1);
}

test.each([
  ['a key', [UNIT], 'api-key', {}],
  ['a claim code', [UNIT, DROP_IN], 'claim-code', { CLAIM_RACK_PREFIX: 'hall-1/' }],
])(
  'the command of the unit starts the gateway with %s, and ends with 0 after SIGTERM',
  async (_, files, credential, more) => {
    const credentials = await settings(files, 'LoadCredential');
    expect(credentials.map((value) => value.split(':')[0])).toEqual([credential]);
    await writeFile(join(folder, credential), 'cm_x\n', { mode: 0o600 });
    const unset = await settings(files, 'UnsetEnvironment');
    const own = (await settings(files, 'Environment'))
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.replace('%S/cellarman-gateway', folder).replace('%d', folder).split('='))
      .filter(([name = '']) => !unset.includes(name));
    const [command = ''] = await settings(files, 'ExecStart');
    const [program, ...args] = command.split(' ');
    expect(program).toBe('/usr/bin/node');
    const env = {
      ...{ INGEST_URL: 'http://127.0.0.1:1', CELLAR: 'demo', ...more, PORT: '0', MQTT_PORT: '0' },
      LOCAL_KEYS: `hall=${hashApiKey(generateApiKey())}`,
      ...(Object.fromEntries(own) as Record<string, string>),
    };
    const gateway = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(gateway, 'exit');
    let log = '';
    gateway.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    try {
      await vi.waitFor(
        async () => {
          const [, url] = /"url":"(http:[^"]+)"/.exec(log) ?? [];
          expect((await fetch(`${url}/readyz`)).status).toBe(200);
        },
        { timeout: 25_000 },
      );
      expect(existsSync(join(folder, 'spool'))).toBe(true);
    } finally {
      gateway.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  },
);

test.runIf(existsSync(ANALYZE))('systemd accepts the unit, also with the drop-in', async () => {
  const unit = join(folder, UNIT);
  // It must exist, and Node may be elsewhere.
  const text = await readFile(join(UNITS, UNIT), 'utf8');
  await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
  const verify = () => promisify(execFile)(ANALYZE, ['verify', unit]);
  expect((await verify()).stderr).toBe('');
  await cp(join(UNITS, `${UNIT}.d`), `${unit}.d`, { recursive: true });
  expect((await verify()).stderr).toBe('');
});
