import { Code } from '@mantine/core';
import type { ClaimCode } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';
import { Status } from '../display/status.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { SmallPrint, Strong } from '../display/text.tsx';
import { Moment } from '../display/time/moment.tsx';

export interface ClaimCodesTableProps {
  /** Undefined: loading. */
  claimCodes: readonly ClaimCode[] | undefined;
  isStale: boolean;
  /** Undefined: the user may not. */
  revoke: ((claimCode: ClaimCode) => void) | undefined;
}

const STATES = {
  active: { kind: 'ok', text: 'Active' },
  used_up: { kind: 'idle', text: 'Used up' },
  expired: { kind: 'warn', text: 'Expired' },
  revoked: { kind: 'idle', text: 'Revoked' },
} as const;

const COLUMNS: Column<ClaimCode>[] = [
  { name: 'Name', isTitle: true, cell: ({ name }) => <Strong>{name}</Strong> },
  { name: 'Code', cell: ({ displayPrefix }) => <Code>{displayPrefix}…</Code> },
  {
    name: 'Racks',
    cell: ({ rackPrefix, forGateways }) => (
      <div>
        {rackPrefix === null ? 'All' : `${rackPrefix}*`}
        {forGateways && <SmallPrint>for gateways</SmallPrint>}
      </div>
    ),
  },
  {
    name: 'Keys',
    cell: ({ claimedKeys, maxKeys, activeKeys }) => (
      <div>
        {describeExactly(claimedKeys)} of {describeExactly(maxKeys)}
        <SmallPrint>{describeExactly(activeKeys)} active</SmallPrint>
      </div>
    ),
  },
  { name: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    name: 'Status',
    cell: ({ state }) => <Status kind={STATES[state].kind}>{STATES[state].text}</Status>,
  },
];

export function ClaimCodesTable({ claimCodes, isStale, revoke }: ClaimCodesTableProps) {
  return (
    <ListTable
      label="Claim codes"
      expectedRows={1}
      columns={COLUMNS}
      rows={claimCodes}
      keyOf={({ id }) => id}
      actions={(claimCode) =>
        // A revoked code may have keys that are to be revoked too.
        revoke !== undefined &&
        (claimCode.state !== 'revoked' || claimCode.activeKeys > 0) && (
          <RowActions of={claimCode.name} actions={[{ label: 'Revoke', run: () => revoke(claimCode) }]} />
        )
      }
      isStale={isStale}
    />
  );
}
