import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import { auditParams } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';

/** @param cellar undefined: everything, for owners */
export function auditQuery(cellar: string | undefined, search: AuditSearch) {
  return queryOptions({
    queryKey: ['audit', cellar, search],
    queryFn: ({ signal }) => {
      const query = auditParams(search);
      return responseData(
        cellar === undefined
          ? keyService.GET('/api/v1/audit', { params: { query }, signal })
          : keyService.GET('/api/v1/cellars/{cellar}/audit', { params: { path: { cellar }, query }, signal }),
      );
    },
  });
}

/** The same filter as a file. */
export function auditFile(cellar: string | undefined, { cursor: _cursor, ...filter }: AuditSearch): string {
  const path = cellar === undefined ? '/api/v1/audit.csv' : `/api/v1/cellars/${cellar}/audit.csv`;
  return `${path}?${new URLSearchParams(auditParams(filter)).toString()}`;
}
