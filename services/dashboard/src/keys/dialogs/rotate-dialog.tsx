import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Key } from '../../api/resources.ts';
import { FormDialog } from '../../display/dialogs/dialogs.tsx';
import { rotateKey } from '../key-actions.ts';
import { DAY_SECONDS, OverlapSelect } from './overlap-select.tsx';
import type { NewSecret } from './secret-dialog.tsx';

export interface RotateDialogProps {
  apiKey: Key;
  close: () => void;
  showSecret: (secret: NewSecret) => void;
}

export function RotateDialog({ apiKey, close, showSecret }: RotateDialogProps) {
  const { name } = apiKey;
  const [overlap, setOverlap] = useState(DAY_SECONDS);

  return (
    <FormDialog
      title={`Rotate ${name}`}
      submit="Rotate key"
      what="rotate the key"
      work={async () => showSecret(await rotateKey(apiKey, overlap))}
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
