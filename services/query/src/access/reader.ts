import type { KeyRecord, SessionRecord } from '@cellarman/contracts';
import { Refusal } from '@cellarman/http-api';

/** Who reads, and how far that reaches. */
export interface Reader {
  /** Of the key or the person, whose sessions share what one reader may take. */
  id: string;
  /** null: every cellar. */
  cellars: readonly string[] | null;
  racks: RackLimit;
  isPerson: boolean;
}

/** At most one of both is set. */
export interface RackLimit {
  /** The only rack. */
  rack: string | null;
  /** What the name of each rack begins with. */
  prefix: string | null;
}

export function readerOfKey(key: KeyRecord): Reader {
  return {
    id: `key ${key.id}`,
    cellars: [key.cellar],
    racks: { rack: key.rack, prefix: key.rackPrefix },
    isPerson: false,
  };
}

export function readerOfSession({ administrator }: SessionRecord): Reader {
  return {
    id: `person ${administrator.id}`,
    cellars: administrator.cellars,
    racks: { rack: null, prefix: null },
    isPerson: true,
  };
}

/**
 * What the reader may see of this cellar.
 *
 * @param rack the one that is asked for, if any
 * @throws {Refusal} a key belongs to its cellar and racks; to a person a cellar of others is not there
 */
export function limitTo(reader: Reader, cellar: string, rack?: string): RackLimit {
  const { cellars, racks } = reader;
  if (cellars !== null && !cellars.includes(cellar)) {
    throw reader.isPerson
      ? new Refusal('not_found', 'There is no such cellar.')
      : new Refusal('cellar_mismatch', 'The API key belongs to another cellar.');
  }
  if (rack !== undefined && !isWithin(racks, rack)) {
    throw new Refusal('rack_mismatch', 'The API key is restricted to other racks.');
  }
  return racks;
}

function isWithin(limit: RackLimit, rack: string): boolean {
  if (limit.rack !== null) return rack === limit.rack;
  return limit.prefix === null || rack.startsWith(limit.prefix);
}
