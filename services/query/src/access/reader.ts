import type { ErrorCode, KeyRecord, SessionRecord } from '@cellarman/contracts';
import { ApiError } from '@cellarman/http-api';

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
 * Returns what the reader may see of this cellar.
 *
 * @param rack the requested rack, if any
 * @throws {ApiError} `cellar_mismatch` or `rack_mismatch` for an API key; to a user, a cellar without access is not found
 */
export function limitTo(reader: Reader, cellar: string, rack?: string): RackLimit {
  const { cellars, racks } = reader;
  if (cellars !== null && !cellars.includes(cellar)) {
    throw reader.isPerson
      ? new ApiError('not_found', 'Cellar not found')
      : new ApiError('cellar_mismatch', 'The API key belongs to another cellar.');
  }
  if (rack !== undefined && !isWithin(racks, rack)) {
    throw new ApiError('rack_mismatch', 'The API key is restricted to other racks.');
  }
  return racks;
}

/** Returns the error codes of `limitTo` for a route. */
export function rejectionsOf(url: string, querystring: unknown): ErrorCode[] {
  if (!url.includes('/:cellar')) return [];
  const { properties } = (querystring ?? {}) as { properties?: object };
  const hasRack = properties !== undefined && 'rack' in properties;
  return ['cellar_mismatch', 'not_found', ...(hasRack ? (['rack_mismatch'] as const) : [])];
}

function isWithin(limit: RackLimit, rack: string): boolean {
  if (limit.rack !== null) return rack === limit.rack;
  return limit.prefix === null || rack.startsWith(limit.prefix);
}
