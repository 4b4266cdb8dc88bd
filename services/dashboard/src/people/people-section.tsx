import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import type { Person } from '../api/resources.ts';
import { Moment } from '../display/time/moment.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { Status } from '../display/status.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import type { RowAction } from '../display/tables/row-actions.tsx';
import { Strong } from '../display/text.tsx';
import { sessionQuery } from '../session/session-query.ts';
import { peopleQuery } from './people-queries.ts';

export interface PeopleSectionProps {
  cursor: string | undefined;
  go: (cursor: string | undefined) => void;
  act: (action: 'access' | 'disable', person: Person) => void;
}

/** All users. */
export function PeopleSection({ cursor, go, act }: PeopleSectionProps) {
  const { data: session } = useQuery(sessionQuery);
  const query = useQuery(peopleQuery(cursor));
  const columns: Column<Person>[] = [
    {
      name: 'Email',
      isTitle: true,
      cell: ({ id, email, disabledAt }) => (
        <>
          <Strong>{email}</Strong> {id === session?.user.id && <Badge>You</Badge>}
          {disabledAt !== null && <Status kind="idle">Disabled</Status>}
        </>
      ),
    },
    { name: 'Role', cell: describeRole },
    { name: 'Cellars', cell: describeCellars },
    { name: 'Joined', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  const actionsOf = (person: Person): RowAction[] => {
    const change = () => act('disable', person);
    if (person.disabledAt !== null) return [{ label: 'Enable', run: change }];
    return [
      { label: 'Edit access', name: `Edit access of ${person.email}`, run: () => act('access', person) },
      // Users cannot disable themselves.
      ...(person.id === session?.user.id ? [] : [{ label: 'Disable', run: change }]),
    ];
  };
  return (
    <PagedList what="the users" query={query} rows={query.data?.users} cursor={cursor} go={go}>
      <ListTable
        label="Users"
        expectedRows={3}
        columns={columns}
        rows={query.data?.users}
        keyOf={({ id }) => id}
        actions={(person) => <RowActions of={person.email} actions={actionsOf(person)} />}
        isStale={query.isPlaceholderData}
      />
    </PagedList>
  );
}
