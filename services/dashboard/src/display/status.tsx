import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, ICON } from './theme/icons.ts';
import classes from './status.module.css';

/** What a colour and its icon mean. */
export type StatusKind = 'ok' | 'warn' | 'bad' | 'idle';

const ICONS = {
  ok: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  idle: IconCircleDashed,
};

/** A state in a word, with an icon and a colour that mean the same. */
export function Status({ kind, children }: { kind: StatusKind; children: string }) {
  const Icon = ICONS[kind];
  return (
    <span className={classes.status} data-kind={kind}>
      <Icon {...ICON} />
      {children}
    </span>
  );
}
