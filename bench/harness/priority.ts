/* eslint-disable no-console -- warns on the terminal */
import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Lets this process and its later children go before all others: in an installation clients have machines of their own. Only
 * root may; without it a p99 includes how long the client itself waited for a core.
 *
 * Linux keeps a niceness for each thread, and where it has autogroups one for each session as well (sched(7)).
 */
export function goFirst(): void {
  const niceness = -10;
  try {
    if (process.platform !== 'linux') {
      setPriority(niceness);
      return;
    }
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness);
    writeFileSync('/proc/self/autogroup', String(niceness));
  } catch (error) {
    console.warn(`the priority stays as it is: ${(error as Error).message}`);
  }
}
