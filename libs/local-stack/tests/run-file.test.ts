import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRunFile } from '../src/product/run-file.ts';

test('run.json is written again after a time in which it could not be', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'cellarman-run-file-'));
  const directory = join(parent, 'later');
  const processes = { ingest: [1] };
  const file = createRunFile(directory, () => processes);
  await expect(file.publish({} as Parameters<typeof file.publish>[0])).rejects.toThrow('ENOENT');
  await mkdir(directory);
  processes.ingest = [2];
  await file.refresh();
  expect(JSON.parse(await readFile(join(directory, 'run.json'), 'utf8'))).toEqual({
    processes: { ingest: [2] },
  });
  await rm(parent, { recursive: true });
});
