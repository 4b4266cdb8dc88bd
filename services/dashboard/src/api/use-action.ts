import { useState } from 'react';

export interface Action<Args extends unknown[]> {
  run: (...args: Args) => Promise<void>;
  isPending: boolean;
  error: unknown;
  forget: () => void;
}

/**
 * Does something once, with what a page shows of it: that it is under way, or why it failed. It keeps no result, so no
 * secret stays behind.
 */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<void>): Action<Args> {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    isPending,
    error,
    forget: () => setError(undefined),
    run: async (...args) => {
      if (isPending) return;
      setPending(true);
      setError(undefined);
      try {
        await work(...args);
      } catch (problem) {
        setError(problem);
      } finally {
        setPending(false);
      }
    },
  };
}
