import { ScrollArea, Text } from '@mantine/core';
import { plural } from '../../display/describe-number.ts';
import { ListTable } from '../../display/tables/list-table.tsx';
import type { Column } from '../../display/tables/list-table.tsx';
import type { ImportLine } from './read-import.ts';

const MOST_ROWS = 100;

const COLUMNS: Column<ImportLine>[] = [
  { name: 'Line', cell: ({ row }) => row.line },
  {
    name: 'Name',
    cell: ({ row, problem }) => (
      <div>
        {row.name}
        {problem !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {problem}
          </Text>
        )}
      </div>
    ),
  },
  { name: 'Racks', cell: ({ row }) => row.rack || (row.rack_prefix && `${row.rack_prefix}*`) || 'all' },
  { name: 'Scopes', cell: ({ row }) => row.scopes || 'ingest' },
  { name: 'Expires', cell: ({ row }) => row.expires || 'never' },
  { name: 'Rate', cell: ({ row }) => (row.rate ? `${row.rate}/s` : 'default') },
];

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
        <ListTable label="Lines of the file" columns={COLUMNS} rows={shown} keyOf={({ row }) => row.line} />
      </ScrollArea.Autosize>
      {lines.length > shown.length && (
        <Text size="sm" c="dimmed">
          Showing {shown.length} of {plural(lines.length, 'line')}.
        </Text>
      )}
    </>
  );
}
