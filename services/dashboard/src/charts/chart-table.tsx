import { Table, Text } from '@mantine/core';
import { useState } from 'react';
import { describeLocal, describeUtc } from '../display/time/describe-time.ts';
import type { ChartPoint, ChartSeries, TimeZone, ValueFormat } from './chart-series.ts';
import { PLAIN } from './chart-series.ts';
import { describeValue } from '../kegs/describe-value.ts';

export interface ChartTableProps {
  label: string;
  series: readonly ChartSeries[];
  fillingFrom?: number;
  /** @default plain numbers */
  format?: ValueFormat;
  /** @default 'local' */
  zone?: TimeZone;
  timeHeading?: string;
}

/** The data of a chart as a table, the latest first. It is rendered when it is opened. */
export function ChartTable(props: ChartTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm">
        Show as table
      </Text>
      {isOpen && <OpenTable {...props} />}
    </details>
  );
}

function OpenTable(props: ChartTableProps) {
  const { label, series, fillingFrom = Infinity, format = PLAIN, zone = 'local' } = props;
  const { timeHeading = 'Time' } = props;
  const columns = series.map(({ points }) => new Map(points.map((point) => [point.at, point])));
  const times = [...new Set(columns.flatMap((column) => [...column.keys()]))].toSorted((a, b) => b - a);
  return (
    <Table.ScrollContainer minWidth={0} mah={480} scrollAreaProps={{ tabIndex: 0 }}>
      <Table aria-label={label} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{timeHeading}</Table.Th>
            {series.map(({ label: name }) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {times.map((at) => (
            <Table.Tr key={at}>
              <Table.Td>{(zone === 'utc' ? describeUtc : describeLocal)(new Date(at))}</Table.Td>
              {columns.map((column, index) => (
                <Table.Td key={series[index]?.label} ta="right">
                  {describePoint(column.get(at), format)}
                  {at >= fillingFrom && column.has(at) && ', not complete'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** "12.28 °C (12.1 – 12.4)" */
function describePoint(point: ChartPoint | undefined, format: ValueFormat): string {
  if (point === undefined) return '–';
  const { value, min, max } = point;
  const { text } = describeValue(value, format);
  if (min === undefined || max === undefined || min === max) return text;
  return `${text} (${describeValue(min, format).number} – ${describeValue(max, format).number})`;
}
