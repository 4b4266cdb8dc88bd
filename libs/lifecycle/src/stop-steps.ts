/**
 * One named part of an orderly stop. The name stands in the log when the stop does not finish in time.
 *
 * @param left says what is not done yet, such as "12 readings in flight"
 */
export type Step = <Result>(name: string, run: () => Promise<Result>, left?: () => string) => Promise<Result>;

/** Remembers which steps are under way, so that a stop that runs out of time can say what it left. */
export function createStopSteps(): { step: Step; left: () => string } {
  const running = new Map<symbol, () => string>();
  return {
    async step(name, run, left) {
      const id = Symbol(name);
      running.set(id, () => (left === undefined ? name : `${name}: ${left()}`));
      // A step that fails stays in the list: it was not finished either.
      const result = await run();
      running.delete(id);
      return result;
    },
    left: () => [...running.values()].map((describe) => describe()).join('; ') || 'work without a name',
  };
}
