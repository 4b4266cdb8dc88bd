import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChangesResponse } from '@cellarman/contracts';
import { createLogger } from '@cellarman/telemetry';
import type { Scheduler } from 'fast-check';
import type { Redis } from 'ioredis';
import { createKeys } from '../../services/ingest/src/key-cache/keys.ts';
import { KeysUnavailableError } from '../../services/ingest/src/key-cache/keys-unavailable-error.ts';
import type { KnownKey } from '../../services/ingest/src/key-cache/known-key.ts';
import { createModelDatabase } from '../../services/key-service/tests/model-database.ts';
import type { ModelDatabase } from '../../services/key-service/tests/model-database.ts';
import { createRedisSnapshots } from '../../services/key-service/tests/redis-snapshots.ts';
import { cacheNames, createScheduledReplica } from '../../services/key-service/tests/scheduled-replica.ts';

const REPLICAS = 2;
export const HASHES = ['1', '2'].map((digit) => digit.repeat(64));
export const CELLARS = ['a', 'b'];

/**
 * The whole way of a key: PostgreSQL as a model that remembers every state, a real Redis, replicas of key-service and of
 * ingest as the product puts them together. The scheduler decides when each message between them arrives.
 */
export function createHarness(scheduler: Scheduler, redis: Redis) {
  const prefix = `chain:${randomBytes(6).toString('hex')}:`;
  const database = createModelDatabase();
  const truth = createTruth(database);
  const snapshots = createRedisSnapshots(redis, cacheNames(prefix, HASHES));
  let fromRedis = 0;
  const keyServices = Array.from({ length: REPLICAS }, () =>
    createScheduledReplica({ redis, scheduler, database, prefix, onRedisResponse: () => (fromRedis += 1) }),
  );
  const travel = (what: string) => scheduler.schedule(Promise.resolve(), what);
  const ingests = Array.from({ length: REPLICAS }, (_, index) => createIngest(index));
  const faults: string[] = [];
  let answers = 0;

  /** One replica of ingest. A load balancer sends its requests to any replica of key-service. */
  function createIngest(index: number) {
    let now = 0;
    let turn = index;
    let delivered: ChangesResponse | undefined;
    /** The last position that it has received and applied. */
    let told: { epoch: string; number: number } | undefined;
    const keys = createKeys({
      keyService: {
        async lookUp(hash, leave) {
          await travel('lookup waits for others');
          const atLeast = leave();
          await travel('lookup goes');
          const answer = await at(keyServices, turn++ % REPLICAS).lookUp(hash, atLeast);
          await travel('lookup comes back');
          return answer;
        },
        async changes(after) {
          await travel('pull goes');
          const answer = database.after(after);
          await travel('pull comes back');
          delivered = answer;
          return answer;
        },
      },
      pullIntervalMs: 250,
      staleMaxMs: 60_000,
      // It evicts the other key, and looks it up again.
      maxKeys: 1,
      logger: createLogger({ service: 'ingest', version: 'test', level: 'silent' }),
      monotonic: () => now,
      onPulled: (error) => {
        if (error === undefined && delivered !== undefined) told = delivered;
      },
    });
    return {
      keys,
      told: () => told,
      /** Its last pull is too old to be trusted: the next request pulls, while others may be on their way. */
      timePasses: () => void (now += 3_000),
    };
  }

  async function find(index: number, hash: string): Promise<void> {
    const { keys, told } = at(ingests, index);
    const known = told();
    let found: KnownKey | null;
    try {
      found = await keys.find(hash);
    } catch (error) {
      if (!(error instanceof KeysUnavailableError)) faults.push(String(error));
      return;
    }
    answers += 1;
    if (known !== undefined && !truth.allows(known, hash, found?.record ?? null)) {
      faults.push(
        `ingest ${index} was told ${known.number} of ${known.epoch} and took ${JSON.stringify(found?.record)} for key ${hash[0]}`,
      );
    }
  }

  return {
    database,
    snapshots,
    find,
    timePasses: (index: number) => at(ingests, index).timePasses(),
    pull: (index: number) => at(keyServices, index).pull(),
    commit: (index: number) => at(keyServices, index).commit(),
    restoreBackup: (back: number) => truth.restoreBackup(back),
    faults,
    counts: () => ({ answers, fromRedis }),
    async settle() {
      for (const { settle } of keyServices) await settle();
    },
    end: () => snapshots.flush(),
  };
}

/** Decides which results are correct for a caller that has received a given position. */
function createTruth(database: ModelDatabase) {
  /** Epochs in their order, and the number at which each began. */
  const epochs = [{ epoch: database.position().epoch, began: 0 }];
  return {
    restoreBackup(back: number): void {
      database.restoreBackup(back);
      const { epoch, number } = database.position();
      epochs.push({ epoch, began: number });
    },
    /** A state of the key at or after the received position, or in a later history. */
    allows(told: { epoch: string; number: number }, hash: string, record: unknown): boolean {
      const from = epochs.findIndex(({ epoch }) => epoch === told.epoch);
      return epochs.slice(from).some(({ epoch, began }) => {
        const since = epoch === told.epoch ? told.number : began;
        return database.statesSince(epoch, since, hash).some((state) => isDeepStrictEqual(state, record));
      });
    },
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
