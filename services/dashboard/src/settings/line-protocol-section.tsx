import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { onSubmit, useAction } from '../api/use-action.ts';
import { Section } from '../display/blocks.tsx';
import { Problem } from '../display/problems/load-problem.tsx';
import type { SettingProps } from './setting-props.ts';

/** Enough to see what is missing; key-service checks the rest. */
const FIELD = '{field}';

export function LineProtocolSection({ cellar, finish }: SettingProps) {
  const [rule, setRule] = useState(cellar.lineProtocolKeg);
  const change = useAction(async () => {
    await api.patch('/api/v1/cellars/{cellar}', {
      params: { path: { cellar: cellar.name } },
      body: { lineProtocolKeg: rule },
    });
    finish('Keg rule updated. It applies within a second.');
  });

  return (
    <Section
      order={3}
      title="InfluxDB line protocol"
      about="The keg of each field. A new rule begins new kegs; stored readings keep theirs."
    >
      <form onSubmit={onSubmit(change.run)}>
        <Stack>
          <Problem error={change.error} what="change the keg rule" />
          <TextInput
            label="Keg rule"
            description="Placeholders: {measurement}, {field}, {tag:NAME} for one tag, {tags} for all others."
            required
            withAsterisk={false}
            maxLength={256}
            value={rule}
            onChange={(event) => setRule(event.currentTarget.value)}
            error={rule !== '' && !rule.includes(FIELD) && `The rule must contain ${FIELD}`}
          />
          <Group>
            <Button
              type="submit"
              loading={change.isPending}
              disabled={rule === cellar.lineProtocolKeg || !rule.includes(FIELD)}
            >
              Change keg rule
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
