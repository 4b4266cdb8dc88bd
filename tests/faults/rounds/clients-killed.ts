import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@cellarman/local-stack';
import { whileDown } from '../faults/processes.ts';
import { whileDiskFull } from '../faults/small-disk.ts';
import type { Round, RunningRound } from '../round.ts';
import { isTimedByClient, startFleet } from '../senders/start-fleet.ts';
import type { Fleet, FleetSize } from '../senders/start-fleet.ts';

export interface ClientsRound extends FleetSize {
  /** How long ingest is down, again and again until all processes were killed. */
  awayMs: number;
  /** How long the disk of the spools is full during the first outage. Needs a small disk. @default 0 */
  fullMs?: number;
}

/** An hour behind and back, as after a battery has failed; ahead by less than ingest tolerates. */
const OFFSETS = [0, 200, -3_600, 30, -20, -86_400, 5];
const CLOCK_EVERY_MS = 25_000;
/** docs/clients.md: 1.3 × maxBytes + 20 MB. */
const MOST_SMALL_BYTES = 1.3 * 65_536 + 20e6;

/** SIGKILL of clients, of the gateway and of ingest, and what else can happen to them. */
export function clientsKilled({ awayMs, fullMs = 0, ...size }: ClientsRound): Round {
  let fleet: Fleet | undefined;
  return {
    name: `kill -9 of ${size.clients} clients and a gateway`,
    senders: {
      racks: size.clients + size.mqttDevices + size.httpDevices,
      isTimedByClient: isTimedByClient(size.clients),
      start: (harness, to) => (fleet = startFleet(harness, to, size)),
    },
    async fault(run) {
      await outages(run, fleet as Fleet, { awayMs, fullMs });
    },
  };
}

async function outages(
  run: RunningRound,
  fleet: Fleet,
  { awayMs, fullMs }: { awayMs: number; fullMs: number },
): Promise<void> {
  const { course } = fleet;
  const { processes } = course;
  const watching = watch(run, fleet);
  const isOver = () => course.killsLeft === 0 || course.stop.signal.aborted;
  const isWarm = () => isOver() || run.ledger.acknowledged() > 10 * processes;
  await until('all senders send', isWarm, { deadlineMs: 900_000, everyMs: 100 });
  for (let isFirst = true; !isOver(); isFirst = false) {
    await whileDown(run, 'ingest', async () => {
      await course.pause(awayMs / 3);
      if (isFirst && fullMs > 0) await fillDisk(run, fleet, fullMs);
      await course.pause((awayMs * 2) / 3 - (isFirst ? fullMs : 0));
    });
    // In the long round, one outage is enough.
    if (fullMs > 0) await until('all were killed', isOver, { deadlineMs: 3_600_000, everyMs: 1_000 });
    else await course.pause(awayMs);
  }
  // It throws why a sender has ended.
  if (course.stop.signal.aborted) await fleet.stop();
  await watching.end();
  run.note('processes', processes);
  run.note('kills', processes * course.kills);
}

async function fillDisk(run: RunningRound, { course }: Fleet, fullMs: number): Promise<void> {
  course.isDiskFull = true;
  await whileDiskFull(run, 'spools', async (refill) => {
    const end = performance.now() + fullMs;
    // A client that finds no space frees some, by emptying its log.
    while (performance.now() < end) {
      await refill();
      await delay(500);
    }
    await refill();
  });
  const failed = course.tally.figures().answers['spool_failed'] ?? 0;
  if (failed < 10) throw new Error(`The disk was full, and only ${failed} puts have failed`);
  // Replies that were on their way.
  await course.pause(5_000);
  course.isDiskFull = false;
}

/** Sets the clocks, and measures the spools. */
function watch(run: RunningRound, fleet: Fleet): { end(): Promise<void> } {
  const over = new AbortController();
  const watching = (async () => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      await fleet.setClocks(OFFSETS[turn % OFFSETS.length] ?? 0);
      const bytes = await fleet.largestSmallSpool();
      run.note('MB of the largest spool of 64 KiB with its log', Math.round(bytes / 1e5) / 10);
      run.say(`${fleet.course.killsLeft} kills left, ${run.ledger.acknowledged()} acknowledged`);
      if (bytes > MOST_SMALL_BYTES) throw new Error(`A spool of 64 KiB has ${bytes} bytes`);
      await delay(CLOCK_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
    await fleet.setClocks(0);
  })();
  watching.catch(() => undefined);
  return {
    async end() {
      over.abort();
      await watching;
    },
  };
}
