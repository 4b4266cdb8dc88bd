/* eslint-disable no-console -- the transcript goes to the terminal */

/** A line of the transcript, with the time since the start. */
export type Say = (text: string) => void;

export function createSay(): Say {
  const begun = Date.now();
  return (text) => console.log(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);
}

/** Ends the rehearsal when something is not as it must be. */
export function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}
