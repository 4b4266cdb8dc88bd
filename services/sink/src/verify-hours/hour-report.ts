import type { ReadingFields } from '@cellarman/verification';

export const KINDS = ['missing', 'duplicated', 'altered'] as const;
export type Kind = (typeof KINDS)[number];

/** What was found about an hour of a cellar. */
export interface Figures {
  /** Readings in the topic, repetitions included. */
  messages: number;
  /** Different readings in the topic: each is on all in-sync replicas. */
  acknowledged: number;
  /** In each view at least once. */
  stored: number;
  /** Acknowledged, not expired, and absent from a view. */
  missing: number;
  /** Rows of a view beyond one per reading. */
  duplicated: number;
  /** Readings in a table that no message has. */
  altered: number;
  /** Acknowledged, and older than the retention of the cellar. */
  expired: number;
  /** Messages that are not valid readings and are in the dead-letter topic. */
  dead_letters: number;
}

export interface HourReport {
  cellars: ReadonlyMap<string, Figures>;
  /** The first findings of each cellar, as JSON. */
  findings: ReadonlyMap<string, readonly string[]>;
}

export interface ReportWriter {
  add(cellar: string, figure: keyof Figures, count?: number): void;
  find(
    kind: Kind,
    cellar: string,
    what: Partial<ReadingFields> & { partition?: number; offset?: number },
  ): void;
  report(): HourReport;
}

const MOST_FINDINGS = 20;

export function createReport(): ReportWriter {
  const cellars = new Map<string, Figures>();
  const findings = new Map<string, string[]>();

  function add(cellar: string, figure: keyof Figures, count = 1): void {
    let figures = cellars.get(cellar);
    if (figures === undefined) cellars.set(cellar, (figures = zeroFigures()));
    figures[figure] += count;
  }

  return {
    add,
    find(kind, cellar, what) {
      add(cellar, kind);
      const list = findings.get(cellar) ?? [];
      findings.set(cellar, list);
      if (list.length < MOST_FINDINGS) list.push(JSON.stringify({ kind, ...what }));
    },
    report() {
      for (const figures of cellars.values()) {
        figures.stored = figures.acknowledged - figures.missing - figures.expired;
      }
      return { cellars, findings };
    },
  };
}

export function zeroFigures(): Figures {
  return {
    ...{ messages: 0, acknowledged: 0, stored: 0, missing: 0 },
    ...{ duplicated: 0, altered: 0, expired: 0, dead_letters: 0 },
  };
}
