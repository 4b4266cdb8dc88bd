import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { onSubmit } from '../api/use-action.ts';
import { RETENTION } from '../cellars/retention.ts';
import { plural } from '../display/describe-number.ts';
import { ConfirmDialog } from '../display/dialogs/dialogs.tsx';
import { Section } from '../display/blocks.tsx';
import type { SettingProps } from './setting-props.ts';

export function RetentionSection({ cellar, finish }: SettingProps) {
  const [days, setDays] = useState<number | string>(cellar.retentionDays);
  const [isAsking, setAsking] = useState(false);
  const wanted = Number(days);
  const isShorter = wanted < cellar.retentionDays;
  const verb = isShorter ? 'Shorten' : 'Extend';

  const change = async (): Promise<void> => {
    await api.patch('/api/v1/cellars/{cellar}', {
      params: { path: { cellar: cellar.name } },
      body: { retentionDays: wanted },
    });
    setAsking(false);
    finish(`Readings of ${cellar.name} are now kept for ${plural(wanted, 'day')}.`);
  };

  return (
    <Section order={3} title="Retention" about="How long readings are kept, from their timestamp.">
      <form onSubmit={onSubmit(() => setAsking(true))}>
        <Group align="flex-end">
          <NumberInput
            label="Days"
            w={140}
            required
            withAsterisk={false}
            min={RETENTION.minimum}
            max={RETENTION.maximum}
            allowDecimal={false}
            value={days}
            onChange={setDays}
          />
          <Button type="submit" disabled={days === '' || wanted === cellar.retentionDays}>
            Change retention
          </Button>
        </Group>
      </form>
      {isAsking && (
        <ConfirmDialog
          title={`${verb} retention to ${plural(wanted, 'day')}?`}
          submit={`${verb} to ${plural(wanted, 'day')}`}
          what="change the retention"
          work={change}
          close={() => setAsking(false)}
          isHarmful={isShorter}
        >
          <Text>{describeRetentionChange(cellar.retentionDays, wanted)}</Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Describes what a new retention does to stored readings. */
function describeRetentionChange(from: number, to: number): string {
  return to < from
    ? `Readings older than ${plural(to, 'day')} are hidden immediately and removed later. Until then, a longer retention shows them again.`
    : `Readings are kept for ${plural(to, 'day')} from now on. Readings that are already removed do not come back.`;
}
