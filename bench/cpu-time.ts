import { readFile } from 'node:fs/promises';

/** Linux counts CPU time in ticks of 10 ms on every platform that Node runs on (sysconf(_SC_CLK_TCK) is 100). */
const TICK_MICROSECONDS = 10_000;

/** User and system time that a process has used so far, in microseconds, from the operating system. */
export async function cpuMicroseconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in parentheses and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
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
