import { Button, Stack } from '@mantine/core';
import { IconDownload, ICON } from '../display/theme/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../display/empty-state.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { present } from '../display/read-search.ts';
import { EmptyPage } from '../display/tables/empty-page.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { Pages } from '../display/tables/pages.tsx';
import { Toolbar } from '../display/toolbar.tsx';
import { AuditFilters } from './audit-filters.tsx';
import type { AuditFiltersProps } from './audit-filters.tsx';
import { auditFile, auditQuery } from './audit-queries.ts';
import { EntryRow } from './entry-row.tsx';

export interface AuditLogProps extends Pick<AuditFiltersProps, 'search' | 'show'> {
  /** Undefined: everything, for owners. */
  cellar: string | undefined;
}

const WIDTHS = { Time: '208px', User: '22%', Action: '200px', Cellar: '14%', 'IP address': '136px' };

/** Who did what, newest first, with its filters. */
export function AuditLog({ cellar, search, show }: AuditLogProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(auditQuery(cellar, search));
  const columns = [
    'Time',
    'User',
    'Action',
    ...(cellar === undefined ? ['Cellar'] : []),
    'Details',
    'IP address',
  ];
  return (
    <Stack>
      <Toolbar
        actions={
          <Button
            component="a"
            href={auditFile(cellar, search)}
            download={cellar === undefined ? 'audit.csv' : `audit-${cellar}.csv`}
            variant="subtle"
            leftSection={<IconDownload {...ICON} />}
          >
            Export as CSV
          </Button>
        }
      >
        <AuditFilters isGlobal={cellar === undefined} search={search} show={show} />
      </Toolbar>
      {error !== null && data === undefined ? (
        <LoadProblem what="the audit log" error={error} retry={() => void refetch()} />
      ) : data?.entries.length === 0 ? (
        <EmptyPage
          isFirst={search.cursor === undefined}
          toFirst={() => show(present({ ...search, cursor: undefined }))}
        >
          <EmptyState title="No matching entries" />
        </EmptyPage>
      ) : (
        <>
          <ListTable
            label="Audit log"
            columns={columns}
            widths={columns.map((name) => (WIDTHS as Record<string, string | undefined>)[name])}
            rows={data?.entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} isGlobal={cellar === undefined} />
            ))}
            isStale={isPlaceholderData}
          />
          <Pages
            isFirst={search.cursor === undefined}
            nextCursor={data?.nextCursor ?? null}
            go={(next) => show(present({ ...search, cursor: next }))}
          />
        </>
      )}
    </Stack>
  );
}
