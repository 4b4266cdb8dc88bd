import type { Cellar } from '../api/resources.ts';

/** Of each part of the settings. */
export interface SettingProps {
  cellar: Cellar;
  /** Says what was done, and reads it all again. */
  finish: (done: string) => void;
}
