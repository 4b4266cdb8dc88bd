import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Short periods, so that a share is not a row of long pauses. */
const PERIOD_MICROSECONDS = 5_000;
const CGROUP = '/sys/fs/cgroup';

export interface CpuShare {
  release(): Promise<void>;
}

/**
 * Gives a process a part of one core, by a control group. It needs root.
 *
 * @returns undefined where that is not allowed
 */
export async function limitCpu(pid: number, share: number): Promise<CpuShare | undefined> {
  const quota = Math.round(PERIOD_MICROSECONDS * share);
  const name = `cellarman-bench-${pid}`;
  const inVersion1 = {
    directory: join(CGROUP, 'cpu', name),
    parent: join(CGROUP, 'cpu', 'cgroup.procs'),
    limits: { 'cpu.cfs_period_us': String(PERIOD_MICROSECONDS), 'cpu.cfs_quota_us': String(quota) },
  };
  const inVersion2 = {
    directory: join(CGROUP, name),
    parent: join(CGROUP, 'cgroup.procs'),
    limits: { 'cpu.max': `${quota} ${PERIOD_MICROSECONDS}` },
  };
  for (const { directory, parent, limits } of [inVersion1, inVersion2]) {
    try {
      await mkdir(directory);
      for (const [file, text] of Object.entries(limits)) await writeFile(join(directory, file), text);
      await writeFile(join(directory, 'cgroup.procs'), String(pid));
      return {
        async release() {
          // A process that has ended has left by itself.
          await writeFile(parent, String(pid)).catch(() => undefined);
          await rmdir(directory);
        },
      };
    } catch {
      await rmdir(directory).catch(() => undefined);
    }
  }
  return undefined;
}
