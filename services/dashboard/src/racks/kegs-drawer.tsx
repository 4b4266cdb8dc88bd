import { Drawer, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toChartPoints } from '../charts/chart-series.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Moment } from '../display/time/moment.tsx';
import { NotRefreshed } from '../display/problems/not-refreshed.tsx';
import { kegsQuery, hourQuery } from './racks-queries.ts';

export interface KegsDrawerProps {
  cellar: string;
  rack: string;
  close: () => void;
}

/** The kegs of one rack with their latest values, beside the list of racks. */
export function KegsDrawer({ cellar, rack, close }: KegsDrawerProps) {
  const kegs = useQuery(kegsQuery(cellar, rack));
  const { data, error, refetch } = kegs;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={rack}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <NotRefreshed queries={[kegs]} />
      <Stack>
        {error !== null && data === undefined && (
          <LoadProblem what="the kegs" error={error} retry={() => void refetch()} />
        )}
        {error === null && data === undefined && <Skeleton height={120} />}
        {data !== undefined && (
          <Table aria-label={`Kegs of ${rack}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Keg</Table.Th>
                <Table.Th ta="right">Latest value</Table.Th>
                <Table.Th>Measured</Table.Th>
                <Table.Th>Last hour</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.series.map(({ keg, value, timestamp }) => (
                <Table.Tr key={keg}>
                  <Table.Td>{keg}</Table.Td>
                  <Table.Td ta="right">{value}</Table.Td>
                  <Table.Td>
                    <Moment at={timestamp} />
                  </Table.Td>
                  <Table.Td>
                    <KegSparkline cellar={cellar} rack={rack} keg={keg} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {data !== undefined && data.nextCursor !== null && (
          <Text size="sm" c="dimmed">
            Showing the first {data.series.length} kegs.
          </Text>
        )}
      </Stack>
    </Drawer>
  );
}

function KegSparkline({ cellar, rack, keg }: { cellar: string; rack: string; keg: string }) {
  const { data } = useQuery(hourQuery(cellar, rack, keg));
  if (data === undefined) return <Skeleton height={28} width={120} />;
  return (
    <Sparkline
      label={`${keg} in the last hour`}
      points={toChartPoints(data.series[0]?.points ?? [])}
      step={data.step * 1_000}
      from={Date.parse(data.from)}
      to={Date.parse(data.to)}
    />
  );
}
