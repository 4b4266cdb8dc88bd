import type { RackLimit } from '../access/reader.ts';

export interface Conditions {
  /** Stands behind WHERE. */
  sql: string;
  params: Record<string, unknown>;
}

/** The rows of a cellar that the reader may see and requested. Every statement about a cellar begins with it. */
export function rowsOf(
  cellar: string,
  limit: RackLimit,
  wanted: { rack?: string | undefined; keg?: string | undefined } = {},
): Conditions {
  const all: [sql: string, name: string, value: string | null | undefined][] = [
    ['cellar = {cellar: String}', 'cellar', cellar],
    ['rack = {onlyRack: String}', 'onlyRack', limit.rack],
    ['startsWith(rack, {rackPrefix: String})', 'rackPrefix', limit.prefix],
    ['rack = {rack: String}', 'rack', wanted.rack],
    ['keg = {keg: String}', 'keg', wanted.keg],
  ];
  const given = all.filter(([, , value]) => value !== null && value !== undefined);
  return {
    sql: given.map(([sql]) => sql).join(' AND '),
    params: Object.fromEntries(given.map(([, name, value]) => [name, value])),
  };
}
