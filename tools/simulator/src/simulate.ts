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
  const { urls, apiKey, connections } = options;
  const posters = urls.map((url) => createPoster(url, apiKey, connections));
  const sendLog = options.sendLog === undefined ? NO_SEND_LOG : await openSendLog(options.sendLog);
  const fleet = createFleet(options);
  const pace = createPace({ ...options, stop });
  const deliver = createDeliver({ ...options, posters, tally, stop });

  /** One reading at a time. */
  async function sender(): Promise<void> {
    while (await pace.next()) {
      const { body } = fleet.next();
      tally.begun();
      const outcome = await deliver(body);
      tally.ended(outcome);
      await sendLog.write(body, outcome);
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
