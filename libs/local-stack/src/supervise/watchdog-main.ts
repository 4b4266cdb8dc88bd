import { stopLeftovers } from './process-record.ts';

/** See watchdog.ts. The only argument is the process record; a supervisor that stopped in order has removed it. */
process.stdin.on('end', () => void stopLeftovers(process.argv[2] ?? '')).resume();
