import { ScrollArea, Table, Text } from '@mantine/core';
import { plural } from '../../display/describe-number.ts';
import { ListTable } from '../../display/tables/list-table.tsx';
import type { ImportLine } from './read-import.ts';

const MOST_ROWS = 100;

/** What a file would create: lines with a problem first. */
export function ImportPreview({ lines }: { lines: readonly ImportLine[] }) {
  const bad = lines.filter(({ problem }) => problem !== undefined);
  const shown = [...bad, ...lines.filter(({ problem }) => problem === undefined)].slice(0, MOST_ROWS);
  return (
    <>
      <Text role="status">
        {plural(lines.length - bad.length, 'key')} to create.{' '}
        {bad.length > 0 && (
          <Text span inherit c="var(--mantine-color-error)">
            {plural(bad.length, 'line')} with a problem {bad.length === 1 ? 'is' : 'are'} skipped.
          </Text>
        )}
      </Text>
      <ScrollArea.Autosize mah="45vh" type="auto" viewportProps={{ tabIndex: 0 }}>
        <ListTable
          label="Lines of the file"
          columns={['Line', 'Name', 'Racks', 'Scopes', 'Expires', 'Rate']}
          rows={shown.map(({ row, problem }) => (
            <Table.Tr key={row.line}>
              <Table.Td data-label="Line">{row.line}</Table.Td>
              <Table.Td data-label="Name">
                <div>
                  {row.name}
                  {problem !== undefined && (
                    <Text size="sm" c="var(--mantine-color-error)">
                      {problem}
                    </Text>
                  )}
                </div>
              </Table.Td>
              <Table.Td data-label="Racks">
                {row.rack || (row.rack_prefix && `${row.rack_prefix}*`) || 'all'}
              </Table.Td>
              <Table.Td data-label="Scopes">{row.scopes || 'ingest'}</Table.Td>
              <Table.Td data-label="Expires">{row.expires || 'never'}</Table.Td>
              <Table.Td data-label="Rate">{row.rate ? `${row.rate}/s` : 'default'}</Table.Td>
            </Table.Tr>
          ))}
        />
      </ScrollArea.Autosize>
      {lines.length > shown.length && (
        <Text size="sm" c="dimmed">
          Showing {shown.length} of {plural(lines.length, 'line')}.
        </Text>
      )}
    </>
  );
}
