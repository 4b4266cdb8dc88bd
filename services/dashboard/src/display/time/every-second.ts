/** For values that change with time only: `useSyncExternalStore(everySecond, …)` re-renders when the value changes. */
export function everySecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, 1_000);
  return () => clearInterval(timer);
}
