import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonEnvironment } from '../../../tests/python-environment.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '..');
const environment = await pythonEnvironment(join(import.meta.dirname, 'requirements.txt'));
const python = 'python' in environment ? environment.python : '';
if ('missing' in environment)
  process.stderr.write(
    `NOT RUN: the Python package. It needs python3 with venv, and PyPI: ${environment.missing}\n`,
  );

const PROGRAM = `
from cellarman import Client, Problem, Status

def report(problem: Problem) -> None:
    print(problem.code)

with Client("http://127.0.0.1:9", "cm_key", "spool", cellar="demo", on_problem=report, timeout_ms=100) as client:
    client.put({"rack": "r", "keg": "k", "value": 21.5})
    status: Status = client.status()
    print(status.waiting, client.close(0))
`;

describe.skipIf('missing' in environment)('the Python package', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellarman-package-'));
    // The build writes beside the sources.
    await cp(project, join(folder, 'project'), { recursive: true });
    const built = [
      '--no-index',
      '--no-build-isolation',
      '--no-deps',
      '--quiet',
      '--disable-pip-version-check',
    ];
    await run(python, ['-m', 'pip', 'wheel', ...built, '--wheel-dir', folder, join(folder, 'project')]);
    const [wheel = ''] = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
    const target = join(folder, 'installed');
    await run(python, ['-m', 'pip', 'install', ...built, '--target', target, join(folder, wheel)]);
    await writeFile(join(folder, 'program.py'), PROGRAM);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));

  const inFolder = () => ({
    cwd: folder,
    env: { ...process.env, PYTHONPATH: join(folder, 'installed'), MYPYPATH: join(folder, 'installed') },
  });

  test('keeps a reading after installation', async () => {
    const { stdout } = await run(python, ['program.py'], inFolder());
    expect(stdout).toContain('1 1\n');
  });

  test('has types that a program is checked with', { timeout: 120_000 }, async () => {
    await run(python, ['-m', 'mypy', '--strict', 'program.py'], inFolder());
    await writeFile(join(folder, 'wrong.py'), PROGRAM.replace('21.5', '"21.5"'));
    const wrong = run(python, ['-m', 'mypy', '--strict', 'wrong.py'], inFolder());
    await expect(wrong).rejects.toMatchObject({ stdout: expect.stringContaining('[arg-type]') as string });
  });

  test('its sources have the types that they name', { timeout: 120_000 }, async () => {
    await run(python, ['-m', 'mypy'], { cwd: project });
  });
});
