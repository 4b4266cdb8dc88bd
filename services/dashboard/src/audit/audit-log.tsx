import { Button, Stack } from '@mantine/core';
import { IconDownload, ICON } from '../display/theme/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { EmptyState, Toolbar } from '../display/blocks.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { present } from '../display/read-search.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import { AuditFilters } from './audit-filters.tsx';
import type { AuditFiltersProps } from './audit-filters.tsx';
import { auditFile, auditQuery } from './audit-queries.ts';
import { COLUMNS } from './entry-columns.tsx';

export interface AuditLogProps extends Pick<AuditFiltersProps, 'search' | 'show'> {
  /** Undefined: everything, for owners. */
  cellar: string | undefined;
}

/** Who did what, newest first, with its filters. */
export function AuditLog({ cellar, search, show }: AuditLogProps) {
  const query = useQuery(auditQuery(cellar, search));
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
      <PagedList
        what="the audit log"
        query={query}
        rows={query.data?.entries}
        cursor={search.cursor}
        go={(cursor) => show(present({ ...search, cursor }))}
        empty={<EmptyState title="No matching entries" />}
      >
        <ListTable
          label="Audit log"
          columns={cellar === undefined ? COLUMNS : COLUMNS.filter(({ name }) => name !== 'Cellar')}
          rows={query.data?.entries}
          keyOf={({ id }) => id}
          isStale={query.isPlaceholderData}
        />
      </PagedList>
    </Stack>
  );
}
