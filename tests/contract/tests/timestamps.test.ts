import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readingSchema } from '@cellarman/reading';
import { expect, it } from 'vitest';

/* The one-liners of docs/http-api.md, in the languages that are on most machines. */

const page = await readFile(join(import.meta.dirname, '../../../docs/http-api.md'), 'utf8');

const RUN: Record<string, (code: string) => [command: string, ...args: string[]]> = {
  Shell: (code) => ['sh', '-c', code],
  Node: (code) => [process.execPath, '--print', code],
  Python: (code) => ['python3', '-c', `from datetime import datetime, timezone\nprint(${code})`],
  Perl: (code) => ['perl', '-MPOSIX', '-e', `print ${code}`],
};

it.for(Object.keys(RUN))('%s writes a timestamp that ingest takes', async (language, { skip }) => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${language} `));
  const [command, ...args] = RUN[language]?.(row?.split('`')[1] ?? '') ?? [''];
  const { stdout } = await promisify(execFile)(command, args).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') skip(`${command} is not installed`);
    throw error;
  });
  expect(stdout.trim()).toMatch(new RegExp(readingSchema.properties.timestamp.pattern ?? 'none'));
  expect(Math.abs(Date.parse(stdout.trim()) - Date.now())).toBeLessThan(60_000);
});
