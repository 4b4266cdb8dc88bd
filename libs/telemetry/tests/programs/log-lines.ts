/** Logs as many lines as its argument says, then waits for a signal and logs two more before it ends. */
import { createLogger } from '../../src/logger.ts';

const logger = createLogger({ service: 'program', version: '1.2.3', level: 'info' });
const padding = 'x'.repeat(1_000);

process.on('SIGTERM', () => {
  logger.info('stops');
  logger.info('has stopped');
  process.exit(0);
});
for (let number = 1; number <= Number(process.argv[2]); number++) logger.info({ number, padding }, 'line');
process.stderr.write('waiting\n');
setInterval(() => {}, 1_000);
