import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Key } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { Moment } from '../display/moment.tsx';
import { addressesQuery } from './addresses-query.ts';
import { Snippets } from './snippets.tsx';

export interface NewSecret {
  key: Key;
  secret: string;
  /** The key that this one takes over from. */
  replaced?: Key;
}

/** Shows an API key, this once. Only its button closes it; the page forgets the key with it. */
export function SecretDialog({
  secret: { key, secret, replaced },
  close,
}: {
  secret: NewSecret;
  close: () => void;
}) {
  const { data: addresses } = useQuery(addressesQuery);
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={`Your new key “${key.name}”`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" title="You won't see this key again">
          Copy it now to where your rack or program reads it. It is stored nowhere. Keep it out of version
          control and of code that others can see.
        </Alert>
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
        <Group justify="flex-end">
          <Button onClick={close}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
