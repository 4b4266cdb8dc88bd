import { Text } from '@mantine/core';
import { Part } from '../display/blocks.tsx';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly, plural } from '../display/describe-number.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import type { KeyUsage } from '../keys/key-queries.ts';

/** The racks that a key was used for. */
export function KeyRacks({ cellar, usage, range }: { cellar: string; usage: KeyUsage; range: RangeName }) {
  const { racks, rackCount } = usage;
  const inRange = `in the ${RANGES[range].label.toLowerCase()}`;
  return (
    <Part title={`${plural(rackCount, 'rack')} ${inRange}`}>
      {racks.length > 0 && (
        <ListTable
          label={`Racks that used the key ${inRange}`}
          columns={[
            {
              name: 'Rack',
              isTitle: true,
              cell: ({ rack }) => (
                <AppLink to="/cellars/$cellar/racks/$rack" params={{ cellar, rack }}>
                  {rack}
                </AppLink>
              ),
            },
            { name: 'Readings', isNumber: true, cell: ({ readings }) => describeExactly(readings) },
            { name: 'Last reading', cell: ({ lastReceivedAt }) => <Moment at={lastReceivedAt} /> },
          ]}
          rows={racks}
          keyOf={({ rack }) => rack}
        />
      )}
      {rackCount > racks.length && (
        <Text size="sm" c="dimmed">
          Showing the {racks.length} racks with the most readings.
        </Text>
      )}
    </Part>
  );
}
