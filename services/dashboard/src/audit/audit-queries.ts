import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { auditParams } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';

/** @param cellar undefined: everything, for owners */
export function auditQuery(cellar: string | undefined, search: AuditSearch) {
  const query = auditParams(search);
  return queryOptions({
    queryKey: ['audit', cellar, query],
    queryFn: ({ signal }) =>
      cellar === undefined
        ? api.get('/api/v1/audit', { params: { query }, signal })
        : api.get('/api/v1/cellars/{cellar}/audit', { params: { path: { cellar }, query }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The same filter as a file. */
export function auditFile(cellar: string | undefined, { cursor: _cursor, ...filter }: AuditSearch): string {
  const path = cellar === undefined ? '/api/v1/audit.csv' : `/api/v1/cellars/${cellar}/audit.csv`;
  return `${path}?${new URLSearchParams(auditParams(filter)).toString()}`;
}
