import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createHelm } from './helm.ts';
import type { Helm } from './helm.ts';
import { packagedHelm } from './packaged-helm.ts';

const run = promisify(execFile);

/** The oldest that is known to render the chart. */
const OLDEST = { major: 3, minor: 14 };

export interface FoundHelm {
  helm?: Helm;
  /** Why there is none. */
  reason: string;
}

/** The `helm` of this machine, otherwise the one that comes in a package. */
export async function findHelm(): Promise<FoundHelm> {
  const problems: string[] = [];
  for (const find of [() => Promise.resolve('helm'), packagedHelm]) {
    try {
      const program = await find();
      await checkVersion(program);
      return { helm: createHelm(program), reason: '' };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { reason: `there is no helm: ${problems.join('; ')}` };
}

async function checkVersion(program: string): Promise<void> {
  const { stdout } = await run(program, ['version', '--template', '{{ .Version }}']);
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(stdout) ?? [];
  const isNewEnough =
    Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  if (!isNewEnough) throw new Error(`${program} is ${stdout}, older than ${OLDEST.major}.${OLDEST.minor}`);
}
