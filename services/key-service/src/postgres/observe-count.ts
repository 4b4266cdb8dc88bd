import type { Telemetry } from '@cellarman/telemetry';

const INTERVAL_MS = 60_000;

/** A gauge of what PostgreSQL counts once a minute. */
export function observeCount(
  parts: { name: string; description: string; count: () => Promise<number> } & Pick<
    Telemetry,
    'meter' | 'logger'
  >,
): { stop(): void } {
  const { name, description, meter, logger } = parts;
  let latest: number | undefined;

  const count = () =>
    parts.count().then(
      (number) => (latest = number),
      (error: unknown) => {
        // An old number would look like a new one.
        latest = undefined;
        logger.debug({ err: error, gauge: name }, 'the count for a gauge failed and is retried');
      },
    );
  meter.createObservableGauge(name, { description }).addCallback((result) => {
    if (latest !== undefined) result.observe(latest);
  });

  void count();
  const timer = setInterval(() => void count(), INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}
