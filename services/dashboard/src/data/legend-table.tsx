import { Anchor, Text } from '@mantine/core';
import type { ValueFormat } from '../charts/chart-series.ts';
import { seriesColour } from '../charts/series-colours.ts';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { Strong } from '../display/text.tsx';
import { describeValue } from '../kegs/describe-value.ts';
import type { SeriesResponse } from './data-queries.ts';
import { readingsPath } from './export-data.ts';
import classes from './data-page.module.css';

type Series = SeriesResponse['series'][number];
type Summary = NonNullable<Series['summary']>;

export interface LegendTableProps {
  cellar: string;
  data: SeriesResponse | undefined;
  format: ValueFormat;
  /** Of the series under the pointer. */
  focus: (index: number | null) => void;
}

/** Each series over the whole range. */
export function LegendTable({ cellar, data, format, focus }: LegendTableProps) {
  const value = (name: string, read: (summary: Summary) => number): Column<Series> => ({
    ...{ name, isNumber: true },
    cell: ({ summary }) => (summary === null ? '–' : <Value value={read(summary)} format={format} />),
  });
  return (
    <ListTable
      label="Series"
      columns={[
        {
          name: 'Rack',
          isTitle: true,
          cell: ({ rack }, index) => (
            <>
              <span className={classes.swatch} style={{ background: `var(${seriesColour(index)})` }} />
              <Strong>{rack}</Strong>
            </>
          ),
        },
        value('Last', ({ last }) => last),
        value('Min', ({ min }) => min),
        value('Average', ({ avg }) => avg),
        value('Max', ({ max }) => max),
        { name: 'Readings', isNumber: true, cell: ({ summary }) => describeExactly(summary?.count ?? 0) },
        {
          name: 'Raw',
          cell: ({ rack, keg, summary }) =>
            data !== undefined &&
            summary !== null && (
              <Anchor
                href={readingsPath(cellar, { rack, keg }, data)}
                download
                inherit
                aria-label={`Readings of ${rack} as CSV`}
              >
                CSV
              </Anchor>
            ),
        },
      ]}
      rows={data?.series}
      keyOf={({ rack }) => rack}
      rowProps={(_row, index) => ({
        onPointerEnter: () => focus(index),
        onPointerLeave: () => focus(null),
      })}
    />
  );
}

function Value({ value, format }: { value: number; format: ValueFormat }) {
  const { text, state } = describeValue(value, format);
  if (state === undefined || state === 'good') return text;
  return (
    <Text span inherit c="var(--mantine-color-error)">
      {text} ({state})
    </Text>
  );
}
