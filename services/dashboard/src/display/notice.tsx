import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Reports a completed action in a live region, until it is dismissed. */
export function Notice({ children, close }: { children: ReactNode; close: () => void }) {
  return (
    <div role="status">
      {children !== undefined && children !== null && (
        <Alert mt="md" withCloseButton onClose={close} closeButtonLabel="Dismiss">
          {children}
        </Alert>
      )}
    </div>
  );
}
