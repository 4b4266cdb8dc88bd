import type { Scene } from './scene.ts';

/** Something that an operator does, and what it showed. */
export interface Act {
  what: string;
  /** @returns what to note beside it */
  run(scene: Scene): Promise<string | undefined>;
}

/** One failure, the alerts that it fires, and the steps of their runbooks that end it. */
export interface Drill {
  name: string;
  /** The failure, as the transcript describes it. */
  fault: string;
  alerts: readonly string[];
  /** Labels of the alerts that are meant, where others could fire for another reason. */
  labels?: Readonly<Record<string, string>>;
  breakIt(scene: Scene): Promise<void>;
  /** What the runbooks say to look at. */
  look: readonly Act[];
  /** What they say to do. */
  fix: readonly Act[];
}
