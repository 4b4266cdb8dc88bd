export interface GatherOptions<Question, Answer> {
  /**
   * Asks many at once. It is called after the last of them was asked for, and answers in their order; when it rejects, all
   * of them do.
   */
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  /** Questions in one batch. */
  maxBatch: number;
  /** Batches at a time. */
  maxUnderWay: number;
  /**
   * A batch that is not full leaves so long after the one before it at the earliest. @default 0
   */
  restMs?: number;
}

/**
 * Asks at once while a batch may go out, and lets questions gather while it may not. So a lone question waits for nothing,
 * and a flood of them costs whoever answers a few large batches instead of many small ones.
 *
 * It bounds the batches, not the questions that wait: whoever asks does that.
 */
export function gatherQuestions<Question, Answer>(
  options: GatherOptions<Question, Answer>,
): (question: Question) => Promise<Answer> {
  const { ask, maxBatch, maxUnderWay, restMs = 0 } = options;
  let waiting: Waiting<Question, Answer>[] = [];
  let underWay = 0;
  let departing = false;
  let restUntil = -Infinity;
  let rest: NodeJS.Timeout | undefined;

  async function depart(): Promise<void> {
    restUntil = performance.now() + restMs;
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    underWay++;
    try {
      const answers = await ask(batch.map(({ question }) => question));
      if (answers.length !== batch.length) {
        throw new Error(`${batch.length} questions got ${answers.length} answers`);
      }
      answers.forEach((answer, i) => batch[i]?.resolve(answer));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay--;
      if (!departing) departAll();
    }
  }

  function departAll(): void {
    departing = false;
    clearTimeout(rest);
    rest = undefined;
    while (waiting.length > 0 && underWay < maxUnderWay) {
      const leftMs = restUntil - performance.now();
      if (leftMs > 0 && waiting.length < maxBatch) {
        rest = setTimeout(departAll, leftMs);
        return;
      }
      void depart();
    }
  }

  return (question) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      const rests = rest !== undefined && waiting.length < maxBatch;
      if (departing || rests || underWay >= maxUnderWay) return;
      // What is asked in the same turn goes along.
      departing = true;
      queueMicrotask(departAll);
    });
}

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}
