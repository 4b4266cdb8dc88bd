import { Code } from '@mantine/core';
import { describeCellars, describeRole } from '../access/describe-access.ts';
import type { ServiceToken } from '../api/resources.ts';
import { useEverySecond } from '../display/time/use-every-second.ts';
import { Moment } from '../display/time/moment.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { SmallPrint, Strong } from '../display/text.tsx';
import { KeyState } from '../keys/key-state.tsx';

export interface TokensTableProps {
  tokens: readonly ServiceToken[] | undefined;
  isStale: boolean;
  revoke: (token: ServiceToken) => void;
}

const COLUMNS: Column<ServiceToken>[] = [
  { name: 'Name', isTitle: true, cell: ({ name }) => <Strong>{name}</Strong> },
  { name: 'Token', cell: ({ displayPrefix }) => <Code>{displayPrefix}…</Code> },
  { name: 'Role', cell: describeRole },
  { name: 'Cellars', cell: describeCellars },
  {
    name: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <Moment at={createdAt} />
        <SmallPrint>by {createdBy}</SmallPrint>
      </div>
    ),
  },
  { name: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
  { name: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

export function TokensTable({ tokens, isStale, revoke }: TokensTableProps) {
  return (
    <ListTable
      label="Service tokens"
      expectedRows={3}
      columns={COLUMNS}
      rows={tokens}
      keyOf={({ id }) => id}
      actions={(token) => <TokenAction token={token} revoke={() => revoke(token)} />}
      isStale={isStale}
    />
  );
}

function TokenAction({ token, revoke }: { token: ServiceToken; revoke: () => void }) {
  const state = useEverySecond((now) => tokenState(token, now));
  if (state !== 'active') return <KeyState state={state} />;
  return <RowActions of={token.name} actions={[{ label: 'Revoke', run: revoke }]} />;
}

/** For display only: the service decides by its own clock. */
function tokenState({ expiresAt, revokedAt }: ServiceToken, now: number) {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
