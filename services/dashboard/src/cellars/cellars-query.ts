import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import type { CellarsSearch } from './cellars-search.ts';

const REFRESH = { refetchInterval: 30_000 };

export function cellarsQuery(query: CellarsSearch) {
  return apiQuery('cellars', '/api/v1/cellars', { query }, { ...REFRESH, placeholderData: keepPreviousData });
}

export function cellarQuery(cellar: string) {
  return apiQuery('cellar', '/api/v1/cellars/{cellar}', { path: { cellar } }, REFRESH);
}
