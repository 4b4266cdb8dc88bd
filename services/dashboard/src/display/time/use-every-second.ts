import { useSyncExternalStore } from 'react';

/** Returns what `read` returns now, and re-renders when that changes. Only for values that compare by themselves. */
export function useEverySecond<Value extends string | number | undefined>(
  read: (now: number) => Value,
): Value {
  return useSyncExternalStore(everySecond, () => read(Date.now()));
}

function everySecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, 1_000);
  return () => clearInterval(timer);
}
