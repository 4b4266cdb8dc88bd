import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { onSubmit } from '../api/use-action.ts';
import { api } from '../api/api.ts';
import { RETENTION } from '../cellars/retention.ts';
import { ConfirmDialog } from '../display/dialogs/confirm-dialog.tsx';
import { plural } from '../display/describe-number.ts';
import { describeRetentionChange } from './describe-retention.ts';
import { Section } from '../display/section.tsx';
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
          confirm={`${verb} to ${plural(wanted, 'day')}`}
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
