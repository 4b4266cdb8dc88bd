import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../api/api.ts';
import type { ClaimCode } from '../api/resources.ts';
import { Part } from '../display/blocks.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { useNotice } from '../display/use-notice.tsx';
import { KEY_TOPICS } from '../keys/key-queries.ts';
import { useMayChangeKeys } from '../session/roles.tsx';
import { CreateClaimCodeDialog, ClaimCodeDialog, RevokeClaimCodeDialog } from './claim-code-dialogs.tsx';
import type { NewClaimCode } from './claim-code-dialogs.tsx';
import { ClaimCodesTable } from './claim-codes-table.tsx';

/** The open dialog. A code is only kept here, until its dialog closes. */
type Open =
  | { dialog: 'create' }
  | { dialog: 'secret'; created: NewClaimCode }
  | { dialog: 'revoke'; claimCode: ClaimCode };

const claimCodesQuery = (cellar: string, query: { cursor?: string }) =>
  apiQuery(
    'claim codes',
    '/api/v1/cellars/{cellar}/claim-codes',
    { path: { cellar }, query },
    { placeholderData: keepPreviousData, refetchInterval: 15_000 },
  );

/** The claim codes of a cellar, which devices exchange for their keys. */
export function ClaimCodes({ cellar, isArchived }: { cellar: string; isArchived: boolean }) {
  const [cursor, setCursor] = useState<string>();
  const [open, setOpen] = useState<Open>();
  const { notice, finish } = useNotice('claim codes', ...KEY_TOPICS);
  const query = useQuery(claimCodesQuery(cellar, cursor === undefined ? {} : { cursor }));
  const mayChange = useMayChangeKeys() && !isArchived;

  const close = (): void => setOpen(undefined);
  const showSecret = (created: NewClaimCode): void => {
    setOpen({ dialog: 'secret', created });
    finish();
  };
  const closeAndFinish = (done: string): void => {
    close();
    finish(done);
  };

  return (
    <Part
      title="Claim codes"
      action={
        mayChange && (
          <Button variant="default" onClick={() => setOpen({ dialog: 'create' })}>
            Create claim code
          </Button>
        )
      }
    >
      <PagedList
        what="the claim codes"
        query={query}
        rows={query.data?.claimCodes}
        cursor={cursor}
        go={setCursor}
        empty={
          <Text c="dimmed" size="sm">
            No claim codes. With a claim code, each device gets its own key, bound to its rack.
          </Text>
        }
      >
        <ClaimCodesTable
          claimCodes={query.data?.claimCodes}
          isStale={query.isPlaceholderData}
          revoke={mayChange ? (claimCode) => setOpen({ dialog: 'revoke', claimCode }) : undefined}
        />
      </PagedList>
      {notice}
      {open?.dialog === 'create' && (
        <CreateClaimCodeDialog cellar={cellar} close={close} showSecret={showSecret} />
      )}
      {open?.dialog === 'secret' && <ClaimCodeDialog created={open.created} close={close} />}
      {open?.dialog === 'revoke' && (
        <RevokeClaimCodeDialog claimCode={open.claimCode} close={close} finish={closeAndFinish} />
      )}
    </Part>
  );
}
