/* eslint-disable no-console -- warns whoever started the bench */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Sets how much a process gives way to others, -20 to 19. Only root may go below 0; without it the figures are those of one more busy
 * process.
 *
 * Where Linux has autogroups a niceness counts only within a session, and each session has one of its own (sched(7)).
 */
export function setNiceness(pid: number, niceness: number): void {
  attempt(() => setPriority(pid, niceness));
  if (process.platform === 'linux') {
    attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)));
  }
}

function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    console.warn(`the priority stays as it is: ${(error as Error).message}`);
  }
}
