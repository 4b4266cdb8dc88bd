import type { SupervisorEvent } from './supervisor.ts';

/** One line for the terminal. */
export function describeEvent(event: SupervisorEvent): string {
  switch (event.type) {
    case 'started':
      return `${event.name}: started as process ${event.pid}`;
    case 'ready':
      return `${event.name}: answers after ${event.seconds.toFixed(1)} s`;
    case 'ended':
      return `${event.name}: process ${event.pid} ended (${event.exit.signal ?? event.exit.code}), starting it again`;
    case 'failed':
      return `${event.name}: ${event.error.message}; next try in ${event.retryInMs / 1000} s`;
  }
}
