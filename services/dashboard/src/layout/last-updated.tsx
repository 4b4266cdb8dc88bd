import { Text } from '@mantine/core';
import { describeTimeOfDay } from '../display/time/describe-time.ts';
import { ExactTime } from '../display/time/moment.tsx';
import { useFreshness } from './freshness.ts';

/** When the data of the open page was loaded; the oldest, if it has several parts. */
export function LastUpdated() {
  const { updatedAt } = useFreshness();
  if (!Number.isFinite(updatedAt)) return null;
  const at = new Date(updatedAt);
  return (
    <Text size="xs" c="dimmed" ta="right" mt="xl">
      Updated <ExactTime at={at}>{describeTimeOfDay(at)}</ExactTime>
    </Text>
  );
}
