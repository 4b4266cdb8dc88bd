import { appendFileSync } from 'node:fs';

/**
 * Preloaded into a service (`node --import 'file:///…/longest-turn.ts?to=FILE'`): how long the turns of its event loop are.
 * Writes the longest of each second to FILE, a line each: milliseconds by the clock, and milliseconds of CPU time.
 *
 * Where more runs than there are cores, a turn waits for one in its midst: what the clock shows beyond the CPU time is that.
 *
 * A turn that asks for the next one at once never sleeps, so the time from one to the next is what the turn did. That takes
 * the whole of a core: nothing else about the service is to be measured meanwhile. Node's own histogram of the delay sees
 * only the stalls in which one of its timers happens to be due.
 */
const file = new URL(import.meta.url).searchParams.get('to');
const SECOND = 1_000;
let begun = performance.now();
let cpuBegun = cpuMs();
let secondEnds = begun + SECOND;
let longest = 0;
let longestCpu = 0;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function turn(): void {
  const now = performance.now();
  longest = Math.max(longest, now - begun);
  longestCpu = Math.max(longestCpu, cpuMs() - cpuBegun);
  if (now >= secondEnds && file !== null) {
    appendFileSync(file, `${longest.toFixed(2)} ${longestCpu.toFixed(2)}\n`);
    longest = longestCpu = 0;
    secondEnds = now + SECOND;
  }
  // What was written above is no part of the turn.
  begun = performance.now();
  cpuBegun = cpuMs();
  setImmediate(turn);
}

setImmediate(turn);
