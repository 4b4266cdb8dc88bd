import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { onSubmit, useAction } from '../api/use-action.ts';
import { Problem } from '../display/problems/load-problem.tsx';
import {
  chosenRateLimit,
  rateLimitChoice,
  RateLimitFields,
  SERVICE_DEFAULT,
} from '../display/rate-limit-fields.tsx';
import { Section } from '../display/blocks.tsx';
import type { SettingProps } from './setting-props.ts';

export function RateLimitSection({ cellar, finish }: SettingProps) {
  const [rateLimit, setRateLimit] = useState(() => rateLimitChoice(cellar.rateLimit));

  const isUnchanged = JSON.stringify(chosenRateLimit(rateLimit)) === JSON.stringify(cellar.rateLimit);

  const change = useAction(async () => {
    await api.patch('/api/v1/cellars/{cellar}', {
      params: { path: { cellar: cellar.name } },
      body: { rateLimit: chosenRateLimit(rateLimit) },
    });
    finish('Rate limit updated. It applies within a second.');
  });

  return (
    <Section
      order={3}
      title="Rate limit"
      about="For all keys of this cellar together. It also caps keys with a higher rate limit of their own."
    >
      <form onSubmit={onSubmit(change.run)}>
        <Stack>
          <Problem error={change.error} what="change the rate limit" />
          <RateLimitFields
            label="Rate limit"
            same={`None (each key has the ${SERVICE_DEFAULT.toLowerCase()})`}
            value={rateLimit}
            onChange={setRateLimit}
          />
          <Group>
            <Button type="submit" loading={change.isPending} disabled={isUnchanged}>
              Change rate limit
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
