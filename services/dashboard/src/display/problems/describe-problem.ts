import { ApiError } from '../../api/api-error.ts';

export type ProblemKind = 'gone' | 'forbidden' | 'offline' | 'updated' | 'unreachable' | 'failed';

export interface ProblemText {
  title: string;
  text: string;
  action: 'retry' | 'reload' | 'cellars';
}

/** What is known beside the error. */
export interface Surroundings {
  isOnline: boolean;
  /** The service has another release than this page. */
  isUpdated: boolean;
}

export function problemKind(error: unknown, { isOnline, isUpdated }: Surroundings): ProblemKind {
  if (isUpdated) return 'updated';
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 0) return isOnline ? 'unreachable' : 'offline';
  if (error.status === 404) return 'gone';
  return error.status === 403 ? 'forbidden' : 'failed';
}

/**
 * What happened and what to do. It claims nothing about ingestion: without a response nobody here knows its state.
 *
 * @param what as in "the chart"
 */
export function describeProblem(kind: ProblemKind, what: string, error: Error): ProblemText {
  const failed = { title: `Couldn't load ${what}`, action: 'retry' } as const;
  const texts: Record<ProblemKind, ProblemText> = {
    gone: {
      title: `${capitalized(what)} not found`,
      text: "It doesn't exist, or you don't have access to it.",
      action: 'cellars',
    },
    forbidden: { title: `No access to ${what}`, text: 'Contact an owner for access.', action: 'cellars' },
    offline: { ...failed, text: 'This device is offline. Data loads when the connection is back.' },
    updated: { title: 'Cellarman was updated', text: 'Reload to open the new version.', action: 'reload' },
    unreachable: {
      ...failed,
      text: "Can't reach Cellarman. Ingestion may still be working.",
    },
    failed: { ...failed, text: error.message },
  };
  return texts[kind];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
