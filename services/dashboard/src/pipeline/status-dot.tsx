import type { Tone } from './describe-status.ts';
import classes from './tone.module.css';

/** A mark in the colour and shape of a state. The words are beside it. */
export function StatusDot({ tone }: { tone: Tone }) {
  return <span className={classes.dot} data-tone={tone} aria-hidden />;
}
