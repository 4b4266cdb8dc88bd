import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';

interface VerifyOptions {
  from?: string;
  to?: string;
  sendLog: string[];
  wait: string;
  json?: true;
}

export function addVerifyCommand(program: Command, context: Context): void {
  program
    .command('verify')
    .description('hold the view in ClickHouse against the topic: missing, doubled, changed')
    .option('--from <time>', 'first moment, such as 2026-11-21T06:00:00Z; left out: all that the topic has')
    .option('--to <time>', 'up to this moment; left out: now')
    .option('--send-log <file>', 'also against what a client saw acknowledged; may be given again', addTo, [])
    .option('--wait <s>', 'how long what is not in the view yet may take', '10')
    .option('--json', 'print JSON')
    .action(async ({ from, to, sendLog, wait, json }: VerifyOptions) => {
      const args = [
        ...(from === undefined ? [] : ['--from', from]),
        ...(to === undefined ? [] : ['--to', to]),
        ...sendLog.flatMap((file) => ['--send-log', file]),
        ...['--wait', wait],
        ...(json ? ['--json'] : []),
      ];
      const [{ runVerifier }, { asUsage }] = await Promise.all([
        import('@cellarman/verifier'),
        import('./kafka-settings.ts'),
      ]);
      const isTrue = await runVerifier(args).catch((cause: unknown) => {
        const error = asUsage(cause);
        throw error instanceof Failure
          ? error
          : new Failure(EXIT.unreachable, (cause as Error).message, { cause });
      });
      if (!isTrue) context.exitCode = EXIT.refused;
    });
}

function addTo(file: string, files: string[]): string[] {
  return [...files, file];
}
