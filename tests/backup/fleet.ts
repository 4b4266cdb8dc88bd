import { join } from 'node:path';
import { run } from './run.ts';

/** A fleet that records its acknowledgements, and compares them with the stored readings. */
export interface Fleet {
  /** Sends this number of readings and waits until all are acknowledged. */
  send(count: number): Promise<void>;
  /** Throws unless everything that was ever acknowledged is in the view, once and as it was sent. */
  verify(): Promise<string>;
}

export function createFleet(dataDir: string): Fleet {
  const runFile = join(dataDir, 'run.json');
  const logs: string[] = [];
  return {
    async send(count) {
      const log = join(dataDir, `sent-${logs.length + 1}.log`);
      logs.push(log);
      await run(process.execPath, [
        'tools/simulator/src/main.ts',
        ...['--count', String(count), '--rate', 'max', '--batch', '100'],
        ...['--send-log', log, '--run-file', runFile],
      ]);
    },
    async verify() {
      const report = await run(process.execPath, [
        'tools/verifier/src/main.ts',
        ...['--wait', '60', '--run-file', runFile],
        ...logs.flatMap((log) => ['--send-log', log]),
      ]);
      return report.trim().split('\n').at(-1) ?? '';
    },
  };
}
