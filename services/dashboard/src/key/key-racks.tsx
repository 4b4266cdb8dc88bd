import { Stack, Table, Text, Title } from '@mantine/core';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly, plural } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import type { KeyUsage } from '../keys/key-queries.ts';

/** The racks that a key was used for. */
export function KeyRacks({ cellar, usage, range }: { cellar: string; usage: KeyUsage; range: RangeName }) {
  const { racks, rackCount } = usage;
  const inRange = `in the ${RANGES[range].label.toLowerCase()}`;
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {plural(rackCount, 'rack')} {inRange}
      </Title>
      {racks.length > 0 && (
        <ListTable
          label={`Racks that used the key ${inRange}`}
          columns={['Rack', numberHeading('Readings'), 'Last reading']}
          rows={racks.map(({ rack, readings, lastReceivedAt }) => (
            <Table.Tr key={rack}>
              <Table.Td>
                <AppLink to="/cellars/$cellar/racks/$rack" params={{ cellar, rack }}>
                  {rack}
                </AppLink>
              </Table.Td>
              <Table.Td data-label="Readings" ta="right">
                {describeExactly(readings)}
              </Table.Td>
              <Table.Td data-label="Last reading">
                <Moment at={lastReceivedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        />
      )}
      {rackCount > racks.length && (
        <Text size="sm" c="dimmed">
          Showing the {racks.length} racks with the most readings.
        </Text>
      )}
    </Stack>
  );
}
