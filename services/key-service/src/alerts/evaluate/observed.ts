/** A rack, a key or a cellar for which the condition of a rule holds now. */
export interface Observed {
  /** Unique within the rule. */
  subject: string;
  /** As people know it. */
  label: string;
  /** From when on the condition has held. */
  since: Date;
  /** When it last did not hold. An alert that began before is not the same. null: not known. */
  brokenAt: Date | null;
  details: Record<string, unknown>;
}

export interface Observation {
  subjects: Observed[];
  /** How long the condition must hold before an alert fires. */
  holdSeconds: number;
  /** Alerts that began earlier end because their subject counts as removed. */
  forgottenBefore?: Date;
  /** More subjects match than are listed. */
  isTruncated: boolean;
}
