import { Button, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { query } from '../api/query.ts';
import { responseData } from '../api/response-data.ts';
import { Moment } from '../display/time/moment.tsx';

function latestOfCellarQuery(cellar: string) {
  return queryOptions({
    queryKey: ['latest', cellar],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: { limit: 1 } };
      const { series } = await responseData(
        query.GET('/api/v1/query/cellars/{cellar}/latest', { params, signal }),
      );
      return series[0] ?? null;
    },
  });
}

/** What has arrived, and where to see it. */
export function FirstReadingArrived({ cellar }: { cellar: string }) {
  const navigate = useNavigate();
  const { data: reading } = useQuery(latestOfCellarQuery(cellar));
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
