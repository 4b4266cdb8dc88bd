import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { AlertDestination } from '../../api/resources.ts';
import { useAction } from '../../api/use-action.ts';
import { plural } from '../../display/describe-number.ts';
import { ConfirmDialog } from '../../display/dialogs/dialogs.tsx';
import { EmptyState, Part } from '../../display/blocks.tsx';
import { LoadProblem, Problem } from '../../display/problems/load-problem.tsx';
import { alertDestinationsQuery } from '../alerts-queries.ts';
import type { SectionProps } from '../section-props.ts';
import { DestinationDialog } from './destination-dialog.tsx';
import type { NewAlertDestination } from './destination-dialog.tsx';
import { DestinationsTable } from './destinations-table.tsx';
import { SigningSecretDialog } from './signing-secret-dialog.tsx';

/** The open dialog. A secret is only kept here, until its dialog closes. */
type Open =
  | { dialog: 'edit'; destination: AlertDestination | undefined }
  | { dialog: 'secret'; name: string; secret: string }
  | { dialog: 'delete'; destination: AlertDestination };

/** While a user waits for the result of a test. */
const FAST_REFRESH = { refetchInterval: 1_000 };

export function DestinationsSection({ cellar, isOwner, finish }: SectionProps) {
  const [open, setOpen] = useState<Open>();
  const [isTesting, setTesting] = useState(false);
  const { data, error, refetch } = useQuery(
    alertDestinationsQuery(cellar, isTesting ? FAST_REFRESH : undefined),
  );

  const close = (): void => setOpen(undefined);
  const show = ({ destination: { name }, secret }: NewAlertDestination): void => {
    setOpen(secret === null ? undefined : { dialog: 'secret', name, secret });
    finish(`Destination “${name}” added. Send a test to see whether it works.`);
  };
  const testing = useAction(async ({ id, name }: AlertDestination) => {
    await api.post('/api/v1/cellars/{cellar}/alert-destinations/{id}/test', {
      params: { path: { cellar, id } },
    });
    setTesting(true);
    finish(`Test notification to “${name}” queued. The table shows the result.`);
  });
  const remove = async ({ id, name }: AlertDestination): Promise<void> => {
    await api.delete('/api/v1/cellars/{cellar}/alert-destinations/{id}', {
      params: { path: { cellar, id } },
    });
    close();
    finish(`Destination “${name}” deleted.`);
  };
  const add = isOwner && (
    <Button variant="default" onClick={() => setOpen({ dialog: 'edit', destination: undefined })}>
      Add destination
    </Button>
  );

  return (
    <Part title="Destinations" action={data !== undefined && data.destinations.length > 0 && add}>
      <Problem error={testing.error} what="send the test" />
      {error !== null && data === undefined ? (
        <LoadProblem what="the destinations" error={error} retry={() => void refetch()} />
      ) : data?.destinations.length === 0 ? (
        <EmptyState title="No destinations" action={add}>
          Webhooks and email addresses that are notified when an alert fires or is resolved.
        </EmptyState>
      ) : (
        <DestinationsTable
          destinations={data?.destinations}
          isOwner={isOwner}
          test={(destination) => void testing.run(destination)}
          edit={(destination) => setOpen({ dialog: 'edit', destination })}
          remove={(destination) => setOpen({ dialog: 'delete', destination })}
        />
      )}
      {open?.dialog === 'edit' && (
        <DestinationDialog
          cellar={cellar}
          destination={open.destination}
          canEmail={data?.canEmail === true}
          close={close}
          created={show}
          changed={({ name }) => {
            close();
            finish(`Destination “${name}” saved.`);
          }}
        />
      )}
      {open?.dialog === 'secret' && (
        <SigningSecretDialog name={open.name} secret={open.secret} close={close} />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete destination “${open.destination.name}”?`}
          submit="Delete destination"
          what="delete the destination"
          work={() => remove(open.destination)}
          close={close}
        >
          <Text>
            {plural(open.destination.rules, 'rule')} will no longer notify it.{' '}
            {open.destination.waiting > 0 &&
              `${open.destination.waiting} undelivered notifications are dropped.`}
          </Text>
        </ConfirmDialog>
      )}
    </Part>
  );
}
