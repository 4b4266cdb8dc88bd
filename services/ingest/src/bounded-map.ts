interface Slot<Value> {
  value: Value;
  /** Read since the last time that room was sought. */
  used: boolean;
}

/** Most entries that are looked at to find one to drop, so that one insert never walks through the whole map. */
const PROBES = 32;

/**
 * A map that keeps at most `limit` entries and drops those that nobody read lately ("second chance").
 *
 * A hit only sets a flag; moving the entry to the end, as a strict LRU does, cost more than the lookup itself.
 */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): boolean;
  clear(): void;
  entries(): IterableIterator<[string, Value]>;
  readonly size: number;
}

export function createBoundedMap<Value>(options: {
  limit: number;
  /** Called for what leaves by `delete`, `clear` or for want of room, not for what is overwritten. */
  onDrop?: (value: Value) => void;
}): BoundedMap<Value> {
  const { limit, onDrop } = options;
  const slots = new Map<string, Slot<Value>>();

  function drop(key: string, slot: Slot<Value>): void {
    slots.delete(key);
    onDrop?.(slot.value);
  }

  function makeRoom(): void {
    let probes = 0;
    for (const [key, slot] of slots) {
      if (!slot.used || ++probes >= PROBES) {
        drop(key, slot);
        return;
      }
      slot.used = false;
      slots.delete(key);
      slots.set(key, slot);
    }
  }

  return {
    get(key) {
      const slot = slots.get(key);
      if (slot === undefined) return undefined;
      slot.used = true;
      return slot.value;
    },
    set(key, value) {
      const slot = slots.get(key);
      if (slot !== undefined) {
        slot.value = value;
        return;
      }
      if (slots.size >= limit) makeRoom();
      slots.set(key, { value, used: false });
    },
    delete(key) {
      const slot = slots.get(key);
      if (slot === undefined) return false;
      drop(key, slot);
      return true;
    },
    clear() {
      for (const [key, slot] of slots) drop(key, slot);
    },
    *entries() {
      for (const [key, slot] of slots) yield [key, slot.value];
    },
    get size() {
      return slots.size;
    },
  };
}
