import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Part } from '../display/blocks.tsx';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import type { Invitation } from '../api/resources.ts';
import { Moment } from '../display/time/moment.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { Strong } from '../display/text.tsx';
import { invitationsQuery } from './people-queries.ts';

export interface InvitationsSectionProps {
  cursor: string | undefined;
  go: (cursor: string | undefined) => void;
  withdraw: (invitation: Invitation) => void;
}

const COLUMNS: Column<Invitation>[] = [
  { name: 'Email', isTitle: true, cell: ({ email }) => <Strong>{email}</Strong> },
  { name: 'Role', cell: describeRole },
  { name: 'Cellars', cell: describeCellars },
  {
    name: 'Invited',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <Moment at={createdAt} /> by {createdBy}
      </div>
    ),
  },
  { name: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

/** Invitations that have not been accepted yet. */
export function InvitationsSection({ cursor, go, withdraw }: InvitationsSectionProps) {
  const query = useQuery(invitationsQuery(cursor));
  return (
    <Part order={2} title="Pending invitations">
      <PagedList
        what="the invitations"
        query={query}
        rows={query.data?.invitations}
        cursor={cursor}
        go={go}
        empty={<Text c="dimmed">No pending invitations</Text>}
      >
        <ListTable
          label="Pending invitations"
          expectedRows={3}
          columns={COLUMNS}
          rows={query.data?.invitations}
          keyOf={({ id }) => id}
          actions={(invitation) => (
            <RowActions
              of={`the invitation for ${invitation.email}`}
              actions={[{ label: 'Withdraw', run: () => withdraw(invitation) }]}
            />
          )}
          isStale={query.isPlaceholderData}
        />
      </PagedList>
    </Part>
  );
}
