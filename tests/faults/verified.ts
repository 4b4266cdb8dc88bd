import { DEAD_LETTER_TOPIC, READINGS_TOPIC } from '@cellarman/contracts';
import { silentLogger } from '@cellarman/kafka';
import type { RunFile } from '@cellarman/local-stack';
import { BUCKET_MS } from '../../services/sink/src/verify-hours/hour.ts';
import { zeroFigures } from '../../services/sink/src/verify-hours/hour-report.ts';
import type { Figures } from '../../services/sink/src/verify-hours/hour-report.ts';
import { verifyHour } from '../../services/sink/src/verify-hours/verify-hour.ts';
import { connect, viewOf } from './stored-rows.ts';

/** By how much clocks differ, and how long a message waits for the broker, at most. */
const TOLERANCE_MS = 60_000;

/** What the sink's verification of completed hours finds about a round, as the dashboard would show it. */
export async function verifyRound(run: RunFile, of: { cellar: string; since: number }): Promise<Figures> {
  const from = Math.floor((of.since - TOLERANCE_MS) / BUCKET_MS) * BUCKET_MS;
  const to = Math.ceil(Date.now() / BUCKET_MS) * BUCKET_MS;
  const clickhouse = connect({ ...viewOf(run), cellar: of.cellar });
  try {
    const verified = await verifyHour({
      clickhouse,
      topic: {
        connection: { brokers: run.kafkaBrokers, clientId: 'cellarman-faults', logger: silentLogger },
        ...{ topic: READINGS_TOPIC, groupId: 'faults', toleranceMs: TOLERANCE_MS, pace: async () => {} },
      },
      deadLetterTopic: DEAD_LETTER_TOPIC,
      hour: { from, to },
      signal: new AbortController().signal,
    });
    return verified?.cellars.get(of.cellar) ?? zeroFigures();
  } finally {
    await clickhouse.close();
  }
}
