import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { useAction } from '../api/use-action.ts';
import { RETENTION } from '../cellars/retention.ts';
import { plural } from '../display/describe-number.ts';
import { Problem } from '../display/problem.tsx';
import { describeRetentionChange } from './describe-retention.ts';
import { Section } from './section.tsx';
import type { SectionProps } from './section.tsx';

export function RetentionSection({ cellar, finish }: SectionProps) {
  const [days, setDays] = useState<number | string>(cellar.retentionDays);
  const [isAsking, setAsking] = useState(false);
  const wanted = Number(days);

  const change = useAction(async () => {
    await answerOf(
      keyService.PATCH('/api/v1/cellars/{cellar}', {
        params: { path: { cellar: cellar.name } },
        body: { retentionDays: wanted },
      }),
    );
    setAsking(false);
    finish(`Readings of ${cellar.name} are now kept for ${plural(wanted, 'day')}.`);
  });

  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setAsking(true);
  };

  return (
    <Section title="Retention" about="For how many days a reading is kept, counted from its timestamp.">
      <form onSubmit={submit}>
        <Group align="flex-end">
          <NumberInput
            label="Days"
            w={140}
            required
            withAsterisk={false}
            min={RETENTION.minimum}
            max={RETENTION.maximum}
            allowDecimal={false}
            disabled={cellar.archivedAt !== null}
            value={days}
            onChange={setDays}
          />
          <Button type="submit" disabled={days === '' || wanted === cellar.retentionDays}>
            Change retention
          </Button>
        </Group>
      </form>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`From ${plural(cellar.retentionDays, 'day')} to ${plural(wanted, 'day')}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Problem error={change.error} what="change the retention" />
          <Text>{describeRetentionChange(cellar.retentionDays, wanted)}</Text>
          <Group justify="space-between">
            <Button
              color={wanted < cellar.retentionDays ? 'red' : 'bottle'}
              loading={change.isPending}
              onClick={() => void change.run()}
            >
              Keep {plural(wanted, 'day')}
            </Button>
            <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
              Leave it at {plural(cellar.retentionDays, 'day')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Section>
  );
}
