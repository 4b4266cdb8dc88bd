import { BATCH_PATH, INGEST_PATH } from '@cellarman/contracts';
import type { SimulatorOptions } from './config.ts';
import { createDeliver } from './deliver.ts';
import { createFleet } from './fleet.ts';
import { createPace } from './pace.ts';
import { createPoster } from './post.ts';
import { NO_SEND_LOG, openSendLog } from './send-log.ts';
import { createTally, type Tally } from './tally.ts';

/** Sends until the count, the time or the signal ends it, and every reading has its outcome. */
export async function simulate(
  options: SimulatorOptions,
  stop: AbortSignal,
  tally: Tally = createTally(),
): Promise<Tally> {
  const { urls, apiKey, batch, connections } = options;
  const asBatch = batch > 1;
  const route = asBatch ? BATCH_PATH : INGEST_PATH;
  const posters = urls.map((url) => createPoster(url, route, apiKey, connections));
  const sendLog = options.sendLog === undefined ? NO_SEND_LOG : await openSendLog(options.sendLog);
  const fleet = createFleet(options);
  const pace = createPace({ ...options, stop });
  const deliver = createDeliver({ ...options, posters, tally, asBatch, stop });

  /** As many readings as go into one request, or as are left. */
  async function gather(): Promise<string[]> {
    const readings: string[] = [];
    while (readings.length < batch && (await pace.next())) {
      readings.push(fleet.next().body);
      tally.begun();
    }
    return readings;
  }

  /** One request at a time. */
  async function sender(): Promise<void> {
    for (let readings = await gather(); readings.length > 0; readings = await gather()) {
      for (const [n, outcome] of (await deliver(readings)).entries()) {
        tally.ended(outcome);
        await sendLog.write(readings[n] as string, outcome);
      }
    }
  }

  try {
    await Promise.all(Array.from({ length: connections }, sender));
  } finally {
    await sendLog.close();
    await Promise.all(posters.map((poster) => poster.close()));
  }
  return tally;
}
