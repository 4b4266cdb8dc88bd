import { NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../display/dialogs/dialogs.tsx';
import {
  chosenRateLimit,
  RateLimitFields,
  SAME_RATE_LIMIT,
  SERVICE_DEFAULT,
} from '../display/rate-limit-fields.tsx';
import { CellarNameField } from './cellar-name-field.tsx';
import { RETENTION } from './retention.ts';
import { isCellarName } from './suggest-name.ts';

export function CreateCellarDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [retentionDays, setRetentionDays] = useState<number | string>(RETENTION.default);
  const [rateLimit, setRateLimit] = useState(SAME_RATE_LIMIT);

  const create = async (): Promise<void> => {
    const body = { name, retentionDays: Number(retentionDays), rateLimit: chosenRateLimit(rateLimit) };
    const cellar = await api.post('/api/v1/cellars', { body });
    await queryClient.invalidateQueries({ queryKey: ['cellars'] });
    close();
    await navigate({ to: '/cellars/$cellar/keys', params: { cellar: cellar.name } });
  };

  return (
    <FormDialog
      title="Create cellar"
      submit="Create cellar"
      what="create the cellar"
      work={create}
      close={close}
      isReady={isCellarName(name)}
    >
      <CellarNameField value={name} onChange={setName} />
      <NumberInput
        label="Retention"
        description="How long readings are kept, from their timestamp."
        suffix=" days"
        required
        min={RETENTION.minimum}
        max={RETENTION.maximum}
        allowDecimal={false}
        value={retentionDays}
        onChange={setRetentionDays}
      />
      <RateLimitFields
        label="Total rate limit of all keys"
        same={`None (each key has the ${SERVICE_DEFAULT.toLowerCase()})`}
        value={rateLimit}
        onChange={setRateLimit}
      />
    </FormDialog>
  );
}
