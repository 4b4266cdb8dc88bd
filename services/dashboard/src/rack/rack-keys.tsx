import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Part } from '../display/blocks.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { KeyState } from '../keys/key-state.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { Strong } from '../display/text.tsx';
import { Moment } from '../display/time/moment.tsx';
import { rackKeysQuery } from './rack-queries.ts';
import type { RackName } from './rack-queries.ts';

/** The API keys that sent the readings of this rack. */
export function RackKeys(name: RackName) {
  const { data, error, refetch } = useQuery(rackKeysQuery(name));
  return (
    <Part title="API keys used, last day">
      {error !== null && data === undefined ? (
        <LoadProblem what="the keys" error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Text c="dimmed">None.</Text>
      ) : (
        <ListTable
          label="API keys used"
          expectedRows={1}
          columns={[
            {
              name: 'Key',
              isTitle: true,
              cell: ({ keyId, key }) => (
                <>
                  <Strong>{key?.name ?? keyId}</Strong>{' '}
                  {key !== undefined && <Code>{key.displayPrefix}…</Code>}
                </>
              ),
            },
            { name: 'Readings', isNumber: true, cell: ({ readings }) => describeExactly(readings) },
            { name: 'Last reading', cell: ({ lastReceivedAt }) => <Moment at={lastReceivedAt} /> },
            {
              name: 'State',
              cell: ({ key }) => (key === undefined ? 'Unknown' : <KeyState state={key.state} />),
            },
          ]}
          rows={data}
          keyOf={({ keyId }) => keyId}
        />
      )}
    </Part>
  );
}
