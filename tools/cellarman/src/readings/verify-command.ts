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
    .description(
      'verify that every reading of the topic is in the ClickHouse view exactly once and unaltered',
    )
    .option(
      '--from <time>',
      'start of the range, such as 2026-11-21T06:00:00Z (default: the start of the topic)',
    )
    .option('--to <time>', 'end of the range (default: now)')
    .option(
      '--send-log <file>',
      'also compare with the readings that a client logged as acknowledged; repeatable',
      addTo,
      [],
    )
    .option('--wait <s>', 'how many seconds readings may take to appear in the view', '10')
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
      if (!isTrue) context.exitCode = EXIT.rejected;
    });
}

function addTo(file: string, files: string[]): string[] {
  return [...files, file];
}
