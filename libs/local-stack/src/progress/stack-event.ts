import type { SupervisorEvent } from '../supervise/supervisor.ts';

/** What there is to tell while a stack starts and runs: about its processes, and about steps that are done once. */
export type StackEvent =
  | SupervisorEvent
  // A step that is done once begins.
  | { type: 'step'; name: string }
  | { type: 'step-done'; name: string; seconds: number };

export type OnStackEvent = (event: StackEvent) => void;

/** Does something that takes a while, and tells when it begins and how long it took. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export function createStep(onEvent: OnStackEvent): Step {
  return async (name, work) => {
    onEvent({ type: 'step', name });
    const begin = performance.now();
    const result = await work();
    onEvent({ type: 'step-done', name, seconds: (performance.now() - begin) / 1000 });
    return result;
  };
}
