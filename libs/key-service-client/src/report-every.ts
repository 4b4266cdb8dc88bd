/**
 * Repeats a report until it is stopped. The interval is jittered by a quarter, so that replicas do not report in step.
 *
 * @param report never rejects
 * @returns stops it
 */
export function reportEvery(intervalMs: number, report: () => Promise<void>): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isStopped) return;
    timer = setTimeout(() => void report().finally(schedule), intervalMs * (0.75 + Math.random() / 2));
    timer.unref();
  }

  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
