import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says what was done. Screen readers hear it; it stays until it is closed. */
export function Notice({ children, close }: { children: ReactNode; close: () => void }) {
  return (
    <div role="status">
      {children !== undefined && children !== null && (
        <Alert mt="md" withCloseButton onClose={close} closeButtonLabel="Close this message">
          {children}
        </Alert>
      )}
    </div>
  );
}
