/** Starts a process that would run for ever, prints what it has made, and waits for its end. */
import { spawn } from 'node:child_process';
import { scratchDirectory } from '../../src/supervise/scratch-directory.ts';

const scratch = await scratchDirectory('cellarman-scratch-test-');
const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)'], {
  stdio: 'ignore',
  detached: true,
});
scratch.watch(child.pid ?? 0);
process.stdout.write(JSON.stringify({ path: scratch.path, pid: child.pid }));
if (process.argv[2] === 'error') throw new Error('something goes wrong');
