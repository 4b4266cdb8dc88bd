import { Button, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import type { Invitation } from '../api/resources.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Moment } from '../display/time/moment.tsx';
import { Pages } from '../display/tables/pages.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { invitationsQuery } from './people-queries.ts';

export interface InvitationsSectionProps {
  cursor: string | undefined;
  go: (cursor: string | undefined) => void;
  withdraw: (invitation: Invitation) => void;
}

/** Invitations that have not been accepted yet. */
export function InvitationsSection({ cursor, go, withdraw }: InvitationsSectionProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(invitationsQuery(cursor));
  const rows = data?.invitations.map((invitation) => (
    <InvitationRow key={invitation.id} invitation={invitation} withdraw={withdraw} />
  ));
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Pending invitations
      </Title>
      {error !== null && data === undefined ? (
        <LoadProblem what="the invitations" error={error} retry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <Text c="dimmed">{cursor === undefined ? 'No pending invitations' : 'This page is empty now'}</Text>
      ) : (
        <ListTable
          label="Pending invitations"
          expectedRows={3}
          columns={['Email', 'Role', 'Cellars', 'Invited', 'Expires']}
          hasActions
          rows={rows}
          isStale={isPlaceholderData}
        />
      )}
      <Pages isFirst={cursor === undefined} nextCursor={data?.nextCursor ?? null} go={go} />
    </Stack>
  );
}

function InvitationRow({
  invitation,
  withdraw,
}: {
  invitation: Invitation;
  withdraw: InvitationsSectionProps['withdraw'];
}) {
  const { email, createdAt, createdBy, expiresAt } = invitation;
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {email}
        </Text>
      </Table.Td>
      <Table.Td data-label="Role">{describeRole(invitation)}</Table.Td>
      <Table.Td data-label="Cellars">{describeCellars(invitation)}</Table.Td>
      <Table.Td data-label="Invited">
        <div>
          <Moment at={createdAt} /> by {createdBy}
        </div>
      </Table.Td>
      <Table.Td data-label="Expires">
        <Moment at={expiresAt} />
      </Table.Td>
      <Table.Td>
        <RowActions>
          <Button
            size="xs"
            variant="default"
            aria-label={`Withdraw the invitation for ${email}`}
            onClick={() => withdraw(invitation)}
          >
            Withdraw
          </Button>
        </RowActions>
      </Table.Td>
    </Table.Tr>
  );
}
