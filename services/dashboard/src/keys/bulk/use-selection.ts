import { useState } from 'react';
import type { Key } from '../../api/resources.ts';

export interface Selection {
  keys: readonly Key[];
  has: (id: string) => boolean;
  /** Selects or deselects keys. */
  set: (keys: readonly Key[], isSelected: boolean) => void;
  /** Keeps the selection of these only. */
  keep: (keys: readonly Key[]) => void;
}

/** @param scope the selection is empty when it changes; a search or another page does not change it */
export function useSelection(scope: string): Selection {
  const [selected, setSelected] = useState({ scope, byId: new Map<string, Key>() });
  const byId = selected.scope === scope ? selected.byId : new Map<string, Key>();
  return {
    keys: [...byId.values()],
    has: (id) => byId.has(id),
    set: (keys, isSelected) => {
      const next = new Map(byId);
      for (const key of keys) {
        if (isSelected) next.set(key.id, key);
        else next.delete(key.id);
      }
      setSelected({ scope, byId: next });
    },
    keep: (keys) => setSelected({ scope, byId: new Map(keys.map((key) => [key.id, key])) }),
  };
}
