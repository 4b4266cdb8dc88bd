import type { StackEvent } from './stack-event.ts';

/** One plain line for the terminal. */
export function describeEvent(event: StackEvent): string {
  switch (event.type) {
    case 'started':
      return `${event.name}: process ${event.pid}`;
    case 'ready':
      return `${event.name}: answers after ${event.seconds.toFixed(1)} s`;
    case 'ended': {
      const { signal, code } = event.exit;
      const how = signal ?? `exit code ${code ?? 'unknown'}`;
      return `${event.name}: process ${event.pid} ended (${how}) and is started again`;
    }
    case 'failed':
      return `${event.name}: next try in ${event.retryInMs / 1000} s. ${event.error.message}`;
    case 'unrecorded':
      return `${event.name}: runs, but the files about it could not be written: ${event.error.message}`;
    case 'step':
      return `${event.name}: begins`;
    case 'step-done':
      return `${event.name}: done after ${event.seconds.toFixed(1)} s`;
  }
}
