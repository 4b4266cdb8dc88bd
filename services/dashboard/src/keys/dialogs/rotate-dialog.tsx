import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { responseData } from '../../api/response-data.ts';
import { keyService } from '../../api/key-service.ts';
import type { Key } from '../../api/resources.ts';
import { FormDialog } from '../../display/dialogs/form-dialog.tsx';
import type { NewSecret } from './secret-dialog.tsx';

export interface RotateDialogProps {
  apiKey: Key;
  close: () => void;
  showSecret: (secret: NewSecret) => void;
}

export const OVERLAPS = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 1 week' },
  { value: '2592000', label: 'In 30 days' },
];

export function RotateDialog({ apiKey, close, showSecret }: RotateDialogProps) {
  const { cellar, id, name } = apiKey;
  const [overlap, setOverlap] = useState('86400');

  const rotate = async (): Promise<void> => {
    showSecret(
      await responseData(
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
        Creates a new key with the same settings. The old key keeps working for a while so that you can switch
        without losing readings.
      </Text>
      <NativeSelect
        label="Old key stops working"
        description="If the old key expires earlier, that still applies."
        data={OVERLAPS}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
