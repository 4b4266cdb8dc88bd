import type { SupervisorEvent } from '../supervise/supervisor.ts';

/** Events of a stack that starts and runs: of its processes, and of one-time steps. */
export type StackEvent =
  | SupervisorEvent
  // The start and the end of a one-time step.
  | { type: 'step'; name: string }
  | { type: 'step-done'; name: string; seconds: number };

export type OnStackEvent = (event: StackEvent) => void;

/** Runs a one-time step, and reports its start and its duration. */
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
