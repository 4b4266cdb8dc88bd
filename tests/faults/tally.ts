/** Responses of the product under load. */
export interface Tally {
  /** One attempt: the response as `200`, `503 unavailable` or, without one, the code of the failure. */
  count(answer: string, ms: number): void;
  acknowledged(): void;
  /** Returns the longest time to a response or failure since this call, in milliseconds. */
  slowestFromNow(): () => number;
  figures(): TallyFigures;
}

export interface TallyFigures {
  /** How often each response came. */
  answers: Record<string, number>;
  /** Longest time from sending to the response or failure. */
  slowestAnswerMs: number;
  /** Longest time in which nothing was acknowledged. */
  longestOutageMs: number;
}

/** Requests that were rejected or broke. */
export function failedRequests(answers: TallyFigures['answers']): number {
  return Object.entries(answers).reduce((sum, [answer, count]) => sum + (answer === '200' ? 0 : count), 0);
}

export function createTally(now: () => number = () => performance.now()): Tally {
  const answers: Record<string, number> = {};
  let slowest = 0;
  const watches: { slowest: number }[] = [];
  let outage = 0;
  let lastAcknowledged = now();
  return {
    count(answer, ms) {
      answers[answer] = (answers[answer] ?? 0) + 1;
      slowest = Math.max(slowest, ms);
      for (const watch of watches) watch.slowest = Math.max(watch.slowest, ms);
    },
    acknowledged() {
      outage = Math.max(outage, now() - lastAcknowledged);
      lastAcknowledged = now();
    },
    slowestFromNow() {
      const watch = { slowest: 0 };
      watches.push(watch);
      return () => Math.round(watch.slowest);
    },
    figures: () => ({
      answers: { ...answers },
      slowestAnswerMs: Math.round(slowest),
      longestOutageMs: Math.round(Math.max(outage, now() - lastAcknowledged)),
    }),
  };
}
