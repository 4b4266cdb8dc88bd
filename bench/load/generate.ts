import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { OpenLoopReport, Rate } from './open-loop.ts';
import type { RequestKind, Sender } from './requests.ts';

/** Runs the open loop in a process of its own, so that two generators and the bench do not delay one another. */
export async function generate(options: Rate & Sender & { kind: RequestKind }): Promise<OpenLoopReport> {
  const args = [join(import.meta.dirname, 'open-loop.ts'), JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return (await json(child.stdout)) as OpenLoopReport;
}
