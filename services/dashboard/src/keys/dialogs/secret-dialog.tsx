import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Key } from '../../api/resources.ts';
import { CopyField } from '../../display/copy-field.tsx';
import { Moment } from '../../display/time/moment.tsx';
import { ShownOnceDialog } from '../../display/dialogs/dialogs.tsx';
import { addressesQuery } from '../key-queries.ts';
import { Snippets } from '../snippets.tsx';

export interface NewSecret {
  key: Key;
  secret: string;
  /** The key that this one replaces. */
  replaced?: Key;
}

/** Shows an API key once, with examples that send a reading. */
export function SecretDialog({
  secret: { key, secret, replaced },
  close,
}: {
  secret: NewSecret;
  close: () => void;
}) {
  const { data: addresses } = useQuery(addressesQuery);
  return (
    <ShownOnceDialog
      title={`Your new key “${key.name}”`}
      warning="You won't see this key again"
      advice="Copy it now and store it where your device can read it. Cellarman keeps only a hash. Keep it out of version control and client-side code."
      done="I have stored it"
      close={close}
    >
      {replaced !== undefined && (
        <Text size="sm">
          The old key <b>{replaced.displayPrefix}…</b> still works. It expires{' '}
          <Moment at={replaced.expiresAt} otherwise="never" />.
        </Text>
      )}
      <CopyField label="API key" text={secret} />
      {addresses !== undefined && (
        <Snippets
          ingestUrl={addresses.ingestUrl ?? window.location.origin}
          cellar={key.cellar}
          rack={key.rack ?? `${key.rackPrefix ?? 'rack-'}1`}
          apiKey={secret}
        />
      )}
    </ShownOnceDialog>
  );
}
