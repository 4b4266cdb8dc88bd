import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import { present } from '../display/read-search.ts';
import type { RacksSearch } from './racks-search.ts';

export function racksQuery(cellar: string, { rack: _rack, silent, ...rest }: RacksSearch) {
  const silentForSeconds = silent === undefined ? undefined : Number(silent);
  const query = { ...rest, ...present({ silentForSeconds }), limit: 50 };
  const options = { placeholderData: keepPreviousData };
  return apiQuery('racks', '/api/v1/query/cellars/{cellar}/racks', { path: { cellar }, query }, options);
}
