import { Button, Group, Stack } from '@mantine/core';
import type { MantineSize } from '@mantine/core';
import type { ReactNode } from 'react';
import { onSubmit } from '../../api/use-action.ts';
import { useConfirmedAction } from '../../session/use-confirmed-action.tsx';
import { Problem } from '../problems/problem.tsx';
import { Dialog } from './dialog.tsx';
import classes from './dialog.module.css';

export interface FormDialogProps {
  title: string;
  /** Label of the submit button. */
  submit: string;
  /** As in "create the key", for the error message. */
  what: string;
  /** Performs the action and closes the dialog. An error is shown above the fields. */
  work: () => Promise<void>;
  close: () => void;
  isReady?: boolean;
  size?: MantineSize;
  children: ReactNode;
}

/** A form in a dialog. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, what, work, close, isReady = true, size = 'md', children } = props;
  const action = useConfirmedAction(work);
  return (
    <Dialog title={title} close={close} size={size}>
      <form onSubmit={onSubmit(action.run)}>
        <Stack>
          <Problem error={action.error} what={what} />
          {children}
          {action.passwordField}
          <Group justify="flex-end" className={classes.footer}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={action.isPending} disabled={!isReady}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
