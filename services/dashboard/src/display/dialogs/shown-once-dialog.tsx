import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

export interface ShownOnceDialogProps {
  title: string;
  /** As in "You won't see this key again". */
  warning: string;
  advice: string;
  /** Label of the only button that closes it. */
  done: string;
  /** False: it cannot be closed yet. */
  isReady?: boolean;
  close: () => void;
  children: ReactNode;
}

/** Shows a secret once. No stray click or key closes it; closing removes the secret from memory. */
export function ShownOnceDialog(props: ShownOnceDialogProps) {
  const { title, warning, advice, done, isReady = true, close, children } = props;
  return (
    <Dialog
      close={close}
      size="xl"
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {/* Mantine's yellow title has too little contrast. */}
        <Alert color="yellow" title={warning} styles={{ title: { color: 'var(--mantine-color-text)' } }}>
          {advice}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={close} disabled={!isReady}>
            {done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
