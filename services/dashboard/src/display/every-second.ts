/** For what changes with the time alone: `useSyncExternalStore(everySecond, …)` renders again when its answer differs. */
export function everySecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, 1_000);
  return () => clearInterval(timer);
}
