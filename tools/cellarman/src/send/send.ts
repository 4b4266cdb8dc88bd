import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { positiveInteger } from '@cellarman/key-settings';
import { printable } from '../output/printable.ts';
import { showProgress } from '../output/progress.ts';
import { connectIngest } from './ingest.ts';
import { readReadings } from './readings-file.ts';
import { sendFile } from './send-file.ts';
import type { SendCount } from './send-file.ts';
import type { SendOptions } from './send-options.ts';
import { sendReading } from './send-reading.ts';

/** One reading, as it was typed. */
export async function sendOne(context: Context, reading: string, options: SendOptions): Promise<void> {
  const { interrupted } = context;
  const giveUpAfterMs = 1_000 * positiveInteger('--give-up-after', options.giveUpAfter);
  const sent = await sendReading(connectIngest(context), reading, { interrupted, giveUpAfterMs });
  await context.print(options.json ? JSON.stringify(sent) : `${sent.message}, received at ${sent.timestamp}`);
}

/** All readings of a file. */
export async function sendAll(
  context: Context,
  { file = '-', format, cellar, json, ...rest }: SendOptions,
): Promise<void> {
  let count: SendCount = { acknowledged: 0, rejected: 0, failed: 0 };
  const progress = showProgress(() => describe(count), context.terminal);
  try {
    await sendFile({
      ingest: connectIngest(context),
      readings: readReadings({ path: file, format, cellar }, context.interrupted),
      inFlight: positiveInteger('--in-flight', rest.inFlight),
      giveUpAfterMs: 1_000 * positiveInteger('--give-up-after', rest.giveUpAfter),
      stop: context.interrupted,
      onCount: (now) => (count = now),
      onUnsent: ({ line, code, error, retryable }) =>
        context.print(
          json
            ? JSON.stringify({ line, code, error, retryable })
            : `line ${line}: ${code}: ${printable(error)}`,
        ),
    });
  } finally {
    progress.stop();
    context.tell(describe(count));
  }
  if (json) await context.print(JSON.stringify(count));
  if (count.rejected > 0) context.exitCode = EXIT.rejected;
  else if (count.failed > 0) context.exitCode = EXIT.unreachable;
}

function describe({ acknowledged, rejected, failed }: SendCount): string {
  const number = (count: number): string => count.toLocaleString('en-US');
  return `${number(acknowledged)} acknowledged, ${number(rejected)} rejected, ${number(failed)} failed`;
}
