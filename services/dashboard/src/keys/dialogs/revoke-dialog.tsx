import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Key } from '../../api/resources.ts';
import { AppLink } from '../../display/app-link.tsx';
import { ConfirmDialog } from '../../display/dialogs/dialogs.tsx';
import { plural } from '../../display/describe-number.ts';
import { Moment } from '../../display/time/moment.tsx';
import { keyUsageQuery, USE_REPORTED_MINUTES } from '../key-queries.ts';
import type { KeyUsage } from '../key-queries.ts';
import { revokeKey } from '../key-actions.ts';

export interface KeyChangeDialogProps {
  apiKey: Key;
  close: () => void;
  /** Closes the dialog and shows a notice. */
  finish: (done: ReactNode) => void;
}

export function RevokeDialog({ apiKey, close, finish }: KeyChangeDialogProps) {
  const { cellar, id, name, displayPrefix, lastUsedAt } = apiKey;
  const { data: usage } = useQuery(keyUsageQuery(cellar, id, 'hour'));
  const revoke = async (): Promise<void> => {
    await revokeKey(apiKey);
    finish(
      <>
        Key “{name}” revoked. It is rejected everywhere within a second.{' '}
        <AppLink to="/cellars/$cellar/audit" params={{ cellar }} inherit underline="always">
          View in audit log
        </AppLink>
      </>,
    );
  };

  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      submit="Revoke key"
      what="revoke the key"
      work={revoke}
      close={close}
    >
      <Text>
        Requests with <b>{displayPrefix}…</b> are rejected within a second. This can't be undone. Readings
        already stored are kept.
      </Text>
      <Text>
        Last used: <Moment at={lastUsedAt} within={USE_REPORTED_MINUTES} />
        {usage !== undefined && `. ${describeRacks(usage)}`}
      </Text>
    </ConfirmDialog>
  );
}

function describeRacks({ rackCount, racks }: KeyUsage): string {
  const [only] = racks;
  if (only === undefined) return 'No rack used it in the last hour';
  return `${rackCount === 1 ? `Rack ${only.rack}` : plural(rackCount, 'rack')} used it in the last hour`;
}
