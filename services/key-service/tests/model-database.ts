import type { Change, KeyRecord, LookupResult } from '@cellarman/contracts';
import type { Position } from '../src/changes/epoch.ts';
import type { ChangesPage } from '../src/changes/changes-repository.ts';
import { keyRecord } from '../../../libs/key-service-client/tests/key-record.ts';

/** An in-memory model of PostgreSQL's guarantees. It keeps every past state, so that a result can be validated. */
export interface ModelDatabase {
  /** Returns the same as the real repositories, from the present state. */
  after(after: number): ChangesPage;
  findKey(hash: string): LookupResult;

  /** Creates the key, or changes it: how often it was changed shows in it. */
  change(hash: string, cellar: string): void;
  changeCellar(cellar: string): void;
  /** Old changes are deleted; the last `keep` stay. */
  prune(keep: number): void;
  /** A backup from `back` changes ago takes over, as another history. */
  restoreBackup(back: number): void;

  position(): Position;
  /** Whether one epoch began after another. */
  isLater(epoch: string, than: string): boolean;
  /** The states of a key from one change number on, up to now or to the end of that history. */
  statesSince(epoch: string, number: number, hash: string): (KeyRecord | null)[];
}

interface State {
  keys: Map<string, KeyRecord>;
}

export function createModelDatabase(): ModelDatabase {
  const histories = new Map<string, State[]>();
  let epoch = 'epoch-0';
  let states: State[] = [{ keys: new Map() }];
  let changes: Change[] = [];
  histories.set(epoch, states);

  const number = () => states.length - 1;
  const present = () => states[number()]?.keys ?? new Map<string, KeyRecord>();
  function commit(
    keys: Map<string, KeyRecord>,
    change: { kind: 'key'; hash: string } | { kind: 'cellar'; cellar: string },
  ) {
    states.push({ keys });
    changes.push({ number: number(), ...change });
  }

  return {
    after(after) {
      const current = number();
      const oldest = changes[0]?.number ?? current + 1;
      if (after < 0) return { epoch, current, number: current, complete: true, more: false, changes: [] };
      if (after > current || after < oldest - 1) {
        return { epoch, current, number: current, complete: false, more: false, changes: [] };
      }
      // A page of two, so that there are often more.
      const page = changes.filter((change) => change.number > after).slice(0, 2);
      const last = page.at(-1)?.number ?? current;
      return { epoch, current, number: last, complete: true, more: last < current, changes: page };
    },

    findKey: (hash) => ({ epoch, number: number(), key: present().get(hash) ?? null }),

    change(hash, cellar) {
      const keys = new Map(present());
      const before = keys.get(hash) ?? keyRecord({ id: `key-${hash[0]}`, hash, cellar, retentionDays: 1 });
      keys.set(hash, { ...before, rateBurst: Number(before.rateBurst) + 1 });
      commit(keys, { kind: 'key', hash });
    },

    changeCellar(cellar) {
      const keys = new Map(present());
      for (const [hash, record] of keys) {
        if (record.cellar === cellar) keys.set(hash, { ...record, retentionDays: record.retentionDays + 1 });
      }
      commit(keys, { kind: 'cellar', cellar });
    },

    prune(keep) {
      changes = changes.slice(Math.max(changes.length - keep, 0));
    },

    restoreBackup(back) {
      const kept = Math.max(number() - back, 0);
      epoch = `epoch-${histories.size}`;
      states = states.slice(0, kept + 1);
      changes = changes.filter((change) => change.number <= kept);
      histories.set(epoch, states);
    },

    position: () => ({ epoch, number: number() }),
    isLater: (one, other) => {
      const epochs = [...histories.keys()];
      return epochs.indexOf(one) > epochs.indexOf(other);
    },
    statesSince: (of, since, hash) =>
      (histories.get(of) ?? []).slice(since).map(({ keys }) => keys.get(hash) ?? null),
  };
}
