import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const fileOf = (script: string): string | undefined => /^node (\S+)$/.exec(scripts[script] ?? '')?.[1];

const SCRIPTS = Object.keys(scripts).filter((name) => fileOf(name) !== undefined);
const SUBCOMMANDS = [
  ...['cellars', 'cellars create', 'cellars list', 'send', 'latest', 'tail', 'verify'].map(
    (subcommand) => `cellarman ${subcommand}`,
  ),
  ...['', ' create', ' list', ' rotate', ' revoke', ' import'].map((verb) => `cellarman keys${verb}`),
];

test.concurrent.for([
  ...[...SCRIPTS, 'cellarman keys list'].map((command) => `${command} -h`),
  // For parseArgs, which the other scripts use, -h is the short form of --help.
  ...['simulate', 'verify', 'size', ...SUBCOMMANDS].map((command) => `${command} --help`),
])('%s prints the usage and starts nothing', async (command, { expect }) => {
  const [script = '', ...args] = command.split(' ');
  const { promise, resolve } = Promise.withResolvers<object>();
  // Without Java, Docker and the rest, anything that starts more than itself fails.
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { PATH: '/nowhere', HOME: '/nowhere', NODE_COMPILE_CACHE };
  const child = execFile(
    process.execPath,
    [fileOf(script) ?? '', ...args],
    { cwd: ROOT, env },
    (_, stdout, stderr) => resolve({ exitCode: child.exitCode, stderr, stdout }),
  );
  const named = script === 'cellarman' ? command.replace(/ -.*$/, '') : `npx -y pnpm@12 ${script}`;
  expect(await promise).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringContaining(`Usage: ${named}`) as string,
  });
});
