import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { onSubmit, useAction } from '../api/use-action.ts';
import { Dialog } from '../display/dialogs/dialogs.tsx';
import { describeActiveKeys } from '../display/describe-number.ts';
import { Problem } from '../display/problems/load-problem.tsx';
import { Section } from '../display/blocks.tsx';
import type { SettingProps } from './setting-props.ts';

/** Can't be undone, so the name has to be typed. */
export function ArchiveSection({ cellar, finish }: SettingProps) {
  const { name, activeKeys } = cellar;
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');

  const archive = useAction(async () => {
    await api.post('/api/v1/cellars/{cellar}/archive', { params: { path: { cellar: name } } });
    setAsking(false);
    finish(`${name} archived.`);
  });

  return (
    <Section
      order={3}
      title="Archive"
      about="Archive a cellar you no longer use. Its keys are revoked, its name can't be reused, and its readings are kept until their retention ends."
    >
      <Group>
        <Button color="red" variant="outline" onClick={() => setAsking(true)}>
          Archive {name}
        </Button>
      </Group>
      {isAsking && (
        <Dialog title={`Archive ${name}?`} close={() => setAsking(false)}>
          <form onSubmit={onSubmit(archive.run)}>
            <Stack>
              <Problem error={archive.error} what="archive the cellar" />
              <Text>
                {activeKeys === 0
                  ? 'No active keys. '
                  : `Revokes ${describeActiveKeys(activeKeys)} active ${activeKeys === 1 ? 'key' : 'keys'}: requests with them are rejected within a second. `}
                This can't be undone.
              </Text>
              <TextInput
                label={`Type ${name} to confirm`}
                autoComplete="off"
                data-autofocus
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Group justify="space-between">
                <Button color="red" type="submit" disabled={typed !== name} loading={archive.isPending}>
                  Archive permanently
                </Button>
                <Button variant="default" onClick={() => setAsking(false)}>
                  Cancel
                </Button>
              </Group>
            </Stack>
          </form>
        </Dialog>
      )}
    </Section>
  );
}
