/* eslint-disable no-console -- warns whoever started the bench */
import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Sets how much a process gives way to others, -20 to 19. Only root may go below 0; without it the figures are those of one more busy
 * process.
 *
 * Linux counts it for each thread, and where it has autogroups only within a session, whose own niceness is then set as well
 * (sched(7)).
 */
export function setNiceness(pid: number, niceness: number): void {
  try {
    for (const thread of threadsOf(pid)) setPriority(thread, niceness);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    console.warn(`a priority stays as it is: ${(error as Error).message}`);
  }
}

function threadsOf(pid: number): number[] {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
}
