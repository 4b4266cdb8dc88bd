import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConfirmedAction } from '../session/use-confirmed-action.tsx';
import { Problem } from './problem.tsx';

export interface ConfirmDialogProps {
  title: string;
  /** On the button that does it. */
  confirm: string;
  /** On the button that does nothing, which Enter presses. */
  keep: string;
  /** As in "revoke the key", for when it fails. */
  what: string;
  /** Does it, and closes the dialog. */
  work: () => Promise<void>;
  close: () => void;
  /** False: it takes nothing away from anybody. */
  isHarmful?: boolean;
  /** What happens, and to whom. */
  children: ReactNode;
}

/** The second step before something that cannot be taken back. It stands elsewhere than the first. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, keep, what, work, close, isHarmful = true, children } = props;
  const action = useConfirmedAction(work);
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Problem error={action.error} what={what} />
        {children}
        {action.passwordField}
        <Group justify="space-between">
          <Button
            color={isHarmful ? 'red' : 'bottle'}
            loading={action.isPending}
            onClick={() => void action.run()}
          >
            {confirm}
          </Button>
          <Button variant="default" data-autofocus onClick={close}>
            {keep}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
