import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { MantineSize, ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { onSubmit } from '../../api/use-action.ts';
import { useReturnedFocus } from './use-returned-focus.ts';
import { Problem } from '../problems/load-problem.tsx';
import { useConfirmedAction } from '../../session/use-confirmed-action.tsx';
import classes from './dialog.module.css';

export interface DialogProps extends Omit<ModalProps, 'opened' | 'onClose'> {
  title: string;
  close: () => void;
  children: ReactNode;
}

/** An open dialog. Render it only while it is open: closing it returns the focus. */
export function Dialog({ close, children, ...rest }: DialogProps) {
  useReturnedFocus();
  return (
    <Modal opened onClose={close} closeButtonProps={{ 'aria-label': 'Close' }} {...rest}>
      {children}
    </Modal>
  );
}

interface ActionDialogProps {
  title: string;
  /** Label of the button. */
  submit: string;
  /** As in "revoke the key", for the error message. */
  what: string;
  /** Performs the action and closes the dialog. An error is shown in it. */
  work: () => Promise<void>;
  close: () => void;
  isReady?: boolean;
  children: ReactNode;
}

export interface ConfirmDialogProps extends ActionDialogProps {
  /** False: the action is not destructive. */
  isHarmful?: boolean;
}

/** Requires a confirmation. Enter cancels, and the button is not where the first click was. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, submit, what, work, close, isHarmful = true, isReady = true, children } = props;
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
            {submit}
          </Button>
          <Button variant="default" data-autofocus onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

export interface FormDialogProps extends ActionDialogProps {
  size?: MantineSize;
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
