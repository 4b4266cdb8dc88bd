import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../api/api.ts';
import { Moment } from '../display/time/moment.tsx';

/** What has arrived, and where to see it. */
export function FirstReadingArrived({ cellar }: { cellar: string }) {
  const navigate = useNavigate();
  const params = { path: { cellar }, query: { limit: 1 } };
  const { data: latest } = useQuery(apiQuery('latest', '/api/v1/query/cellars/{cellar}/latest', params));
  const reading = latest?.series[0];
  const search = reading ? { keg: reading.keg, racks: [reading.rack] } : {};
  return (
    <>
      {reading && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {reading.rack} sent {reading.keg} {reading.value}, received <Moment at={reading.receivedAt} />.
        </Text>
      )}
      <Group>
        <Button onClick={() => void navigate({ to: '/cellars/$cellar/data', params: { cellar }, search })}>
          See it on the Data page
        </Button>
      </Group>
    </>
  );
}
