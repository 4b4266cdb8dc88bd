/**
 * ClickHouse for development: `node main.ts --data-dir DIRECTORY --port PORT [--host HOST]`, with CLICKHOUSE_PASSWORD set.
 * The engine is the real one (`chdb`); this process owns its directory and serves HTTP.
 */
import { readOptions, widenThreadPool } from './config.ts';
import { startServer } from './server.ts';

const STOP_GRACE_MS = 5_000;

widenThreadPool();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const server = await startServer(readOptions(process.argv.slice(2)));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void server.stop(STOP_GRACE_MS).then(() => process.exit(0));
    });
  }
  // Last, because a process that reads this line may send a signal immediately.
  say(`ClickHouse ${server.version} listens on ${server.url}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
