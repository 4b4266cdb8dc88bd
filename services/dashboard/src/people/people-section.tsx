import { Badge, Button, Menu, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import type { Person } from '../api/resources.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Moment } from '../display/time/moment.tsx';
import { Pages } from '../display/tables/pages.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { Status } from '../display/status.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
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
  const { data, error, refetch, isPlaceholderData } = useQuery(peopleQuery(cursor));
  if (error !== null && data === undefined) {
    return <LoadProblem what="the users" error={error} retry={() => void refetch()} />;
  }
  const rows = data?.users.map((person) => (
    <PersonRow key={person.id} person={person} isSelf={person.id === session?.user.id} act={act} />
  ));
  return (
    <>
      <ListTable
        label="Users"
        expectedRows={3}
        columns={['Email', 'Role', 'Cellars', 'Joined']}
        hasActions
        rows={rows}
        isStale={isPlaceholderData}
      />
      <Pages isFirst={cursor === undefined} nextCursor={data?.nextCursor ?? null} go={go} />
    </>
  );
}

interface PersonRowProps {
  person: Person;
  /** Users cannot disable themselves. */
  isSelf: boolean;
  act: PeopleSectionProps['act'];
}

function PersonRow({ person, isSelf, act }: PersonRowProps) {
  const { email, createdAt, disabledAt } = person;
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {email}
        </Text>{' '}
        {isSelf && <Badge>You</Badge>}
        {disabledAt !== null && <Status kind="idle">Disabled</Status>}
      </Table.Td>
      <Table.Td data-label="Role">{describeRole(person)}</Table.Td>
      <Table.Td data-label="Cellars">{describeCellars(person)}</Table.Td>
      <Table.Td data-label="Joined">
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td>
        <RowActions>
          {disabledAt === null ? (
            <Button
              size="xs"
              variant="default"
              aria-label={`Edit access of ${email}`}
              onClick={() => act('access', person)}
            >
              Edit access
            </Button>
          ) : (
            <Button
              size="xs"
              variant="default"
              aria-label={`Enable ${email}`}
              onClick={() => act('disable', person)}
            >
              Enable
            </Button>
          )}
          {disabledAt === null && !isSelf && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button size="xs" variant="subtle" aria-label={`More actions for ${email}`}>
                  More
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => act('disable', person)}>Disable</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </RowActions>
      </Table.Td>
    </Table.Tr>
  );
}
