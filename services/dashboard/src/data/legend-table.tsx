import { Anchor, Table, Text } from '@mantine/core';
import type { ValueFormat } from '../charts/chart-series.ts';
import { seriesColour } from '../charts/series-colours.ts';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable, numberHeading } from '../display/tables/list-table.tsx';
import { describeValue } from '../kegs/describe-value.ts';
import type { SeriesResponse } from './series-response.ts';
import { readingsPath } from './export-data.ts';
import classes from './data-page.module.css';

export interface LegendTableProps {
  cellar: string;
  data: SeriesResponse | undefined;
  format: ValueFormat;
  /** Of the series under the pointer. */
  focus: (index: number | null) => void;
}

const COLUMNS = ['Rack', ...['Last', 'Min', 'Average', 'Max', 'Readings'].map(numberHeading), 'Raw'];

/** Each series over the whole range. */
export function LegendTable({ cellar, data, format, focus }: LegendTableProps) {
  return (
    <ListTable
      label="Series"
      columns={COLUMNS}
      rows={data?.series.map(({ rack, keg, summary }, index) => (
        <Table.Tr key={rack} onPointerEnter={() => focus(index)} onPointerLeave={() => focus(null)}>
          <Table.Td>
            <span className={classes.swatch} style={{ background: `var(${seriesColour(index)})` }} />
            <Text span inherit fw={600}>
              {rack}
            </Text>
          </Table.Td>
          {(['last', 'min', 'avg', 'max'] as const).map((name, column) => (
            <Table.Td key={name} data-label={['Last', 'Min', 'Average', 'Max'][column]} ta="right">
              <Value value={summary?.[name]} format={format} />
            </Table.Td>
          ))}
          <Table.Td data-label="Readings" ta="right">
            {describeExactly(summary?.count ?? 0)}
          </Table.Td>
          <Table.Td data-label="Raw">
            {summary !== null && (
              <Anchor
                href={readingsPath(cellar, { rack, keg }, data)}
                download
                inherit
                aria-label={`Readings of ${rack} as CSV`}
              >
                CSV
              </Anchor>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    />
  );
}

function Value({ value, format }: { value: number | undefined; format: ValueFormat }) {
  if (value === undefined) return '–';
  const { text, state } = describeValue(value, format);
  if (state === undefined || state === 'good') return text;
  return (
    <Text span inherit c="var(--mantine-color-error)">
      {text} ({state})
    </Text>
  );
}
