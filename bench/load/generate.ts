import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { OpenLoopReport, Rate } from './open-loop.ts';
import type { RequestKind, Sender } from './requests.ts';

/** Runs the open loop in a process of its own, so that two generators and the bench do not delay one another. */
export function generate(options: Rate & Sender & { kind: RequestKind }): Promise<OpenLoopReport> {
  return runScript('open-loop.ts', options);
}

/** Runs a file of this folder with its options as an argument, and returns the JSON that it prints. */
export async function runScript<Report>(file: string, options: object): Promise<Report> {
  const args = [join(import.meta.dirname, file), JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return (await json(child.stdout)) as Report;
}
