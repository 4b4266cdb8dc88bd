import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import type { CellarsSearch } from './cellars-search.ts';

const REFRESH_MS = 30_000;

export function cellarsQuery(search: CellarsSearch) {
  return queryOptions({
    queryKey: ['cellars', search],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/cellars', { params: { query: search }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

export function cellarQuery(cellar: string) {
  return queryOptions({
    queryKey: ['cellar', cellar],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/cellars/{cellar}', { params: { path: { cellar } }, signal })),
    refetchInterval: REFRESH_MS,
  });
}
