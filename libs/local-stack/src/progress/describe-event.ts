import type { StackEvent } from './stack-event.ts';

/** One plain line for the terminal. */
export function describeEvent(event: StackEvent): string {
  switch (event.type) {
    case 'started':
      return `${event.name}: started, process ${event.pid}`;
    case 'ready':
      return `${event.name}: ready after ${event.seconds.toFixed(1)} s`;
    case 'ended': {
      const { signal, code } = event.exit;
      const how = signal ?? `exit code ${code ?? 'unknown'}`;
      return `${event.name}: process ${event.pid} ended (${how}), restarting`;
    }
    case 'failed':
      return `${event.name}: could not be started, retrying in ${event.retryInMs / 1000} s: ${event.error.message}`;
    case 'unrecorded':
      return `${event.name}: running, but its process file could not be written: ${event.error.message}`;
    case 'step':
      return `${event.name}: in progress`;
    case 'step-done':
      return `${event.name}: done after ${event.seconds.toFixed(1)} s`;
  }
}
