import { Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { Key } from '../../api/resources.ts';
import { FormDialog } from '../../display/dialogs/form-dialog.tsx';
import { DAY_SECONDS, OverlapSelect } from './overlap-select.tsx';
import type { NewSecret } from './secret-dialog.tsx';

export interface RotateDialogProps {
  apiKey: Key;
  close: () => void;
  showSecret: (secret: NewSecret) => void;
}

export function RotateDialog({ apiKey, close, showSecret }: RotateDialogProps) {
  const { cellar, id, name } = apiKey;
  const [overlap, setOverlap] = useState(DAY_SECONDS);

  const rotate = async (): Promise<void> => {
    showSecret(
      await api.post('/api/v1/cellars/{cellar}/keys/{id}/rotate', {
        params: { path: { cellar, id } },
        body: { overlapSeconds: overlap },
      }),
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
      <OverlapSelect label="Old key stops working" seconds={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}
