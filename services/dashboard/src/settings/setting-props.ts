import type { Cellar } from '../api/resources.ts';

/** Props of each section of the settings. */
export interface SettingProps {
  cellar: Cellar;
  /** Shows a notice and reloads the data. */
  finish: (done: string) => void;
}
