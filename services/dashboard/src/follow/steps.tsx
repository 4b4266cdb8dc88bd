import { Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Status } from '../display/status.tsx';
import classes from './steps.module.css';

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}

export interface StepProps {
  kind: 'ok' | 'waiting' | 'warn' | 'bad';
  title: string;
  children?: ReactNode;
}

/** A step of a path, announced as it happens. */
export function Step({ kind, title, children }: StepProps) {
  return (
    <li className={classes.step}>
      <div role="status">
        {kind === 'waiting' ? (
          <span className={classes.waiting}>
            <Loader size={16} aria-hidden />
            {title}
          </span>
        ) : (
          <Status kind={kind}>{title}</Status>
        )}
      </div>
      <Text component="div" size="sm" c="dimmed" className={classes.detail}>
        {children}
      </Text>
    </li>
  );
}
