import { observeGauges } from '@cellarman/telemetry';
import type { Telemetry } from '@cellarman/telemetry';

const INTERVAL_MS = 60_000;

/** A gauge of what PostgreSQL counts once a minute. NaN while it cannot. */
export function observeCount(
  parts: {
    name: string;
    description: string;
    count: () => Promise<number>;
    /** @default a minute */
    intervalMs?: number;
  } & Pick<Telemetry, 'meter' | 'logger'>,
): { stop(): void } {
  const { name, description, intervalMs = INTERVAL_MS, meter, logger } = parts;
  let latest = NaN;

  const count = () =>
    parts.count().then(
      (number) => (latest = number),
      (error: unknown) => {
        // An old number would look like a new one. The SDK repeats it where nothing is observed, so unknown is NaN.
        latest = NaN;
        logger.warn({ err: error, gauge: name }, 'could not count the rows of a gauge, retrying in a minute');
      },
    );
  observeGauges(meter, '', { [name]: [description, () => latest] });

  void count();
  const timer = setInterval(() => void count(), intervalMs);
  return { stop: () => clearInterval(timer) };
}
