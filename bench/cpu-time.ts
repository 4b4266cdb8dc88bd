import { readFile } from 'node:fs/promises';

/** Linux counts CPU time in ticks of 10 ms on every platform that Node runs on (sysconf(_SC_CLK_TCK) is 100). */
const TICK_MICROSECONDS = 10_000;

/** User and system time that a process has used so far, in microseconds, from the operating system. */
export async function cpuMicroseconds(pid: number): Promise<number> {
  const [user = 0, system = 0] = await cpuTicks(pid);
  return (user + system) * TICK_MICROSECONDS;
}

/** The same with its child processes, also those that have ended: PostgreSQL has one for each connection. */
export async function cpuMicrosecondsOfTree(pid: number): Promise<number> {
  const ticks = await cpuTicks(pid);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const ofChildren = await Promise.all(
    // One that has just ended is in the figures of its parent.
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => cpuMicroseconds(Number(child)).catch(() => 0)),
  );
  return [...ticks.map((count) => count * TICK_MICROSECONDS), ...ofChildren].reduce((a, b) => a + b, 0);
}

/** User and system time of a process, then those of its ended children. */
async function cpuTicks(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in parentheses and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}

/** Resident memory in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  return statusMiB(pid, 'VmRSS');
}

/** The most resident memory that the process ever had, in MiB: what a limit of its container would have to allow. */
export async function peakResidentMiB(pid: number): Promise<number> {
  return statusMiB(pid, 'VmHWM');
}

async function statusMiB(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
}
