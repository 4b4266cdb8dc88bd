import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';

export interface WithNotice {
  notice: ReactNode;
  /** Shows what was done, or no notice, and loads again what it changed. */
  finish: (done?: ReactNode) => void;
}

/**
 * A notice about a completed action, in a live region, until it is dismissed.
 *
 * @param topics of the queries that the actions of the page change
 */
export function useNotice(...topics: string[]): WithNotice {
  const refresh = useRefresh(...topics);
  const [done, setDone] = useState<ReactNode>();
  return {
    notice: (
      <div role="status">
        {done !== undefined && done !== null && (
          <Alert mt="md" withCloseButton onClose={() => setDone(undefined)} closeButtonLabel="Dismiss">
            {done}
          </Alert>
        )}
      </div>
    ),
    finish: (text) => {
      setDone(text);
      refresh();
    },
  };
}

/** Returns a function that loads again what is shown of these topics. */
export function useRefresh(...topics: string[]): () => void {
  const queryClient = useQueryClient();
  return () => {
    for (const topic of topics) void queryClient.invalidateQueries({ queryKey: [topic] });
  };
}
