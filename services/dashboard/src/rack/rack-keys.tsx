import { Code, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { describeExactly } from '../display/describe-number.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { KeyState } from '../keys/key-state.tsx';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { Moment } from '../display/time/moment.tsx';
import { rackKeysQuery } from './rack-queries.ts';
import type { RackName } from './rack-queries.ts';

/** The API keys that sent the readings of this rack. */
export function RackKeys(name: RackName) {
  const { data, error, refetch } = useQuery(rackKeysQuery(name));
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        API keys used, last day
      </Title>
      {error !== null && data === undefined ? (
        <LoadProblem what="the keys" error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Text c="dimmed">None.</Text>
      ) : (
        <ListTable
          label="API keys used"
          expectedRows={1}
          columns={['Key', numberHeading('Readings'), 'Last reading', 'State']}
          rows={data?.map(({ keyId, readings, lastReceivedAt, key }) => (
            <Table.Tr key={keyId}>
              <Table.Td>
                <Text span inherit fw={600}>
                  {key?.name ?? keyId}
                </Text>{' '}
                {key !== undefined && <Code>{key.displayPrefix}…</Code>}
              </Table.Td>
              <Table.Td data-label="Readings" ta="right">
                {describeExactly(readings)}
              </Table.Td>
              <Table.Td data-label="Last reading">
                <Moment at={lastReceivedAt} />
              </Table.Td>
              <Table.Td data-label="State">
                {key === undefined ? 'Unknown' : <KeyState state={key.state} />}
              </Table.Td>
            </Table.Tr>
          ))}
        />
      )}
    </Stack>
  );
}
