import { useState } from 'react';
import type { SyntheticEvent } from 'react';

export interface Action<Args extends unknown[]> {
  run: (...args: Args) => Promise<void>;
  isPending: boolean;
  error: unknown;
  forget: () => void;
}

/**
 * Runs an action, with its pending state and its error for the page. It keeps no result, so that no secret stays in
 * memory.
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

/** Returns the handler of a form that only runs `work`: the browser sends nothing. */
export function onSubmit(work: () => unknown) {
  return (event: SyntheticEvent): void => {
    event.preventDefault();
    work();
  };
}
