import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConfirmedAction } from '../../session/use-confirmed-action.tsx';
import { Problem } from '../problems/problem.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  /** Label of the button that confirms. */
  confirm: string;
  /** As in "revoke the key", for the error message. */
  what: string;
  /** Performs the action and closes the dialog. */
  work: () => Promise<void>;
  close: () => void;
  /** False: the action is not destructive. */
  isHarmful?: boolean;
  isReady?: boolean;
  /** What the action changes. */
  children: ReactNode;
}

/** Requires a confirmation. Enter cancels, and the button is not where the first click was. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, what, work, close, isHarmful = true, isReady = true, children } = props;
  const action = useConfirmedAction(work);
  return (
    <Dialog title={title} close={close}>
      <Stack>
        <Problem error={action.error} what={what} />
        {children}
        {action.passwordField}
        <Group justify="space-between">
          <Button
            color={isHarmful ? 'red' : 'bottle'}
            loading={action.isPending}
            disabled={!isReady}
            onClick={() => void action.run()}
          >
            {confirm}
          </Button>
          <Button variant="default" data-autofocus onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
