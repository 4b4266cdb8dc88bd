import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { Key } from '../api/resources.ts';
import { useAction } from '../api/use-action.ts';
import { Problem } from '../display/problem.tsx';
import type { NewSecret } from './secret-dialog.tsx';

export interface RotateDialogProps {
  apiKey: Key;
  close: () => void;
  tell: (secret: NewSecret) => void;
}

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'In an hour' },
  { value: '86400', label: 'In a day' },
  { value: '604800', label: 'In a week' },
  { value: '2592000', label: 'In 30 days' },
];

export function RotateDialog({ apiKey, close, tell }: RotateDialogProps) {
  const { cellar, id, name } = apiKey;
  const [overlap, setOverlap] = useState('86400');

  const rotate = useAction(async () => {
    tell(
      await answerOf(
        keyService.POST('/api/v1/cellars/{cellar}/keys/{id}/rotate', {
          params: { path: { cellar, id } },
          body: { overlapSeconds: Number(overlap) },
        }),
      ),
    );
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void rotate.run();
  };

  return (
    <Modal opened onClose={close} title={`Rotate ${name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack>
          <Problem error={rotate.error} what="rotate the key" />
          <Text>
            You get a new key with the same settings. The old one goes on for a while, so that no reading is
            refused while you put the new one in its place.
          </Text>
          <NativeSelect
            label="The old key expires"
            description="Never later than it does now."
            data={OVERLAPS}
            value={overlap}
            onChange={(event) => setOverlap(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              Rotate key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
