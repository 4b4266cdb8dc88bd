import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { Key } from '../api/resources.ts';
import { FormDialog } from '../display/form-dialog.tsx';
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

  const rotate = async (): Promise<void> => {
    tell(
      await answerOf(
        keyService.POST('/api/v1/cellars/{cellar}/keys/{id}/rotate', {
          params: { path: { cellar, id } },
          body: { overlapSeconds: Number(overlap) },
        }),
      ),
    );
  };

  return (
    <FormDialog
      title={`Rotate ${name}`}
      submit="Rotate key"
      what="rotate the key"
      work={rotate}
      close={close}
    >
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
    </FormDialog>
  );
}
