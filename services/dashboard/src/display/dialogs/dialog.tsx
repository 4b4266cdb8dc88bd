import { Modal } from '@mantine/core';
import type { ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReturnedFocus } from './use-returned-focus.ts';

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
