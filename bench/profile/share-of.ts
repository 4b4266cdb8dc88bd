import type { Frame } from './merge-stacks.ts';

/** The part of all CPU time that was spent in functions of these places and in what they called, between 0 and 1. */
export function shareOf(root: Frame, belongs: (frame: Frame) => boolean): number {
  const microsecondsIn = (frame: Frame): number =>
    belongs(frame)
      ? frame.microseconds
      : frame.children.reduce((sum, child) => sum + microsecondsIn(child), 0);
  return microsecondsIn(root) / root.microseconds;
}
