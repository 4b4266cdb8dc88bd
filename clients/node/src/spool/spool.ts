import { Buffer } from 'node:buffer';
import { ClientError } from '../client-error.ts';
import { BrokenRow, isBody, isBroken, openDatabase, replaceBroken, spoolFailed } from './open-database.ts';
import { commit, FIRST_BACKFILL_ID, readTables } from './tables.ts';
import type { Counters, Tables } from './tables.ts';

/** The readings of one request, in the order of their ids. */
export interface Batch {
  lane: Lane;
  ids: number[];
  bodies: string[];
  /** When the first one was put, in milliseconds since 1970. */
  firstAt: number;
  /** Whether more readings would be too many bytes. */
  isCut: boolean;
}
export type Lane = 'fresh' | 'backlog';
export interface Rejection {
  code: string;
  error: string;
}
export interface SetAside extends Rejection {
  body: string;
}

/** Readings on disk, in two lanes: ids up to the boundary are the backlog, those above it are fresh. */
export interface Spool {
  /** Stores lists of readings in one transaction: @returns for each whether it fits. */
  add(lists: readonly { bodies: readonly string[]; isBackfill: boolean }[]): boolean[];
  next(lane: Lane, most: { readings: number; bytes: number }): Batch | undefined;
  /** Removes a batch but the readings at the indexes of `kept`, and sets those of `rejections` aside. */
  settle(batch: Batch, kept: ReadonlySet<number>, rejections: ReadonlyMap<number, Rejection>): void;
  /** Makes everything that waits the backlog. */
  raiseBoundary(): void;
  setAside(): SetAside[];
  /** Sends the readings again that were set aside. @returns how many */
  requeue(): number;
  /** How many readings wait. */
  waiting(): number;
  counters(): Readonly<Counters>;
  status(): Counters & { setAside: number; oldestAt: number | null; brokenFiles: number };
  close(): void;
}

export interface SpoolOptions {
  path: string;
  maxBytes: number;
  dropsOldest: boolean;
  onBroken: (error: Error) => void;
}

const MOST_SET_ASIDE = 10_000;

/** @throws {ClientError} `spool_locked`, `spool_failed` */
export function openSpool({ path, maxBytes, dropsOldest, onBroken }: SpoolOptions): Spool {
  let brokenFiles = 0;
  let boundary = 0;
  let tables = open();

  function open(): Tables {
    try {
      return readTables(openDatabase(path));
    } catch (error) {
      return replaceIfBroken(error);
    }
  }

  function replaceIfBroken(error: unknown): Tables {
    if (!isBroken(error)) throw error instanceof ClientError ? error : spoolFailed(error);
    brokenFiles += 1;
    onBroken(error as Error);
    try {
      return readTables(replaceBroken(path));
    } catch (cause) {
      throw spoolFailed(cause);
    }
  }

  /** Works with a new file when this one turns out to be broken. */
  function surviving<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isBroken(error)) tables.db.close();
      tables = replaceIfBroken(error);
    }
    try {
      return work();
    } catch (error) {
      throw spoolFailed(error);
    }
  }
  const committing = <T>(isDurable: boolean, work: (now: Tables) => T): T =>
    surviving(() => commit(tables, isDurable, () => work(tables)));

  function insert(body: string, lane: 'fresh' | 'backfill', now: Tables): void {
    now.sql.insert.run(now.nextId[lane]++, Date.now(), body);
    now.counters.waiting += 1;
    now.counters.bytes += Buffer.byteLength(body);
  }

  function makeRoom(bytes: number, now: Tables): boolean {
    while (now.counters.bytes + bytes > maxBytes) {
      const oldest = dropsOldest && bytes <= maxBytes ? now.sql.oldest.get() : undefined;
      if (oldest === undefined) return false;
      now.sql.remove.run(oldest['id'] as number);
      now.counters.waiting -= 1;
      now.counters.bytes -= Buffer.byteLength(oldest['body'] as string);
      now.counters.dropped += 1;
    }
    return true;
  }

  return {
    add: (lists) =>
      committing(true, (now) =>
        lists.map(({ bodies, isBackfill }) => {
          if (
            !makeRoom(
              bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0),
              now,
            )
          )
            return false;
          for (const body of bodies) insert(body, isBackfill ? 'backfill' : 'fresh', now);
          return true;
        }),
      ),
    next: (lane, most) =>
      surviving(() => {
        const from = lane === 'fresh' ? boundary : FIRST_BACKFILL_ID - 1;
        const to = lane === 'fresh' ? Number.MAX_SAFE_INTEGER : boundary;
        const batch: Batch = { lane, ids: [], bodies: [], firstAt: 0, isCut: false };
        let bytes = 0;
        for (const row of tables.sql.lane.all(from, to, most.readings)) {
          const { body } = row;
          if (!isBody(body)) throw new BrokenRow(`row ${String(row['id'])} is not a reading`);
          bytes += body.length + 1;
          batch.isCut = bytes > most.bytes && batch.ids.length > 0;
          if (batch.isCut) break;
          if (batch.ids.length === 0) batch.firstAt = row['at'] as number;
          batch.ids.push(row['id'] as number);
          batch.bodies.push(body);
        }
        return batch.ids.length === 0 ? undefined : batch;
      }),
    settle: ({ ids, bodies }, kept, rejections) =>
      committing(false, ({ sql, counters }) => {
        const isWhole = kept.size === 0 && rejections.size === 0;
        let gone = isWhole ? Number(sql.removeRange.run(ids[0] ?? 0, ids.at(-1) ?? 0).changes) : 0;
        // Of the whole batch, the first ones may have been dropped meanwhile.
        if (isWhole)
          for (const body of bodies.slice(ids.length - gone)) counters.bytes -= Buffer.byteLength(body);
        else
          for (const [index, id] of ids.entries()) {
            if (kept.has(index) || sql.remove.run(id).changes === 0) continue;
            const body = bodies[index] ?? '';
            const rejection = rejections.get(index);
            gone += 1;
            counters.bytes -= Buffer.byteLength(body);
            if (rejection === undefined) continue;
            sql.setAside.run(Date.now(), body, rejection.code, rejection.error);
            counters.rejected += 1;
            counters.sent -= 1;
          }
        counters.waiting -= gone;
        counters.sent += gone;
        if (rejections.size > 0) sql.trimSetAside.run(MOST_SET_ASIDE);
      }),
    raiseBoundary() {
      boundary = tables.nextId.fresh - 1;
    },
    setAside: () => surviving(() => tables.sql.listSetAside.all() as unknown as SetAside[]),
    requeue: () =>
      committing(true, (now) => {
        const rows = now.sql.listSetAside.all();
        for (const { body } of rows) insert(body as string, 'fresh', now);
        now.sql.emptySetAside.run();
        return rows.length;
      }),
    waiting: () => tables.counters.waiting,
    counters: () => tables.counters,
    status: () =>
      surviving(() => {
        const first = [FIRST_BACKFILL_ID - 1, 0].map((above) => tables.sql.firstAt.get(above)?.['at']);
        const times = first.filter((at) => typeof at === 'number');
        const setAside = tables.sql.countSetAside.get()?.['count'] as number;
        const oldestAt = times.length === 0 ? null : Math.min(...times);
        return { ...tables.counters, setAside, oldestAt, brokenFiles };
      }),
    close: () => tables.db.close(),
  };
}
