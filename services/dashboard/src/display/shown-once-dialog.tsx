import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ShownOnceDialogProps {
  title: string;
  /** As in "You won't see this key again". */
  warning: string;
  advice: string;
  /** On the only button that closes it. */
  done: string;
  close: () => void;
  children: ReactNode;
}

/** Shows a secret, this once. No stray click or key closes it; the page forgets the secret with it. */
export function ShownOnceDialog({ title, warning, advice, done, close, children }: ShownOnceDialogProps) {
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {/* The title in its own yellow has too little contrast. */}
        <Alert color="yellow" title={warning} styles={{ title: { color: 'var(--mantine-color-text)' } }}>
          {advice}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={close}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
