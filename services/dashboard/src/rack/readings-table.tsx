import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { KegSettings } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { rangeState } from '../kegs/describe-value.ts';
import { describeDelay, describeToMillisecond } from './describe-reading.ts';
import classes from './rack.module.css';
import { readingsQuery } from './rack-queries.ts';
import type { WantedReadings } from './rack-queries.ts';

const ROW_HEIGHT = 36;
/** Rows from the end at which the next page is requested. */
const ROWS_AHEAD = 50;

export interface ReadingsTableProps extends WantedReadings {
  settings: KegSettings | undefined;
  /** Undefined: local time. */
  zone: 'utc' | undefined;
}

/** The readings of a keg exactly as they are stored, newest first. Scrolling loads more. */
export function ReadingsTable({ settings, zone, ...wanted }: ReadingsTableProps) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    readingsQuery(wanted),
  );
  const readings = data?.pages.flatMap((page) => page.readings) ?? [];
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: readings.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const rows = virtual.getVirtualItems();
  const needsMore = hasNextPage && !isFetching && (rows.at(-1)?.index ?? 0) >= readings.length - ROWS_AHEAD;
  useEffect(() => {
    if (needsMore && error === null) void fetchNextPage();
  }, [needsMore, error, fetchNextPage]);

  const label = `Readings of ${wanted.keg}`;
  const unit = settings?.unit ?? null;
  return (
    <div>
      {error !== null && <LoadProblem what="the readings" error={error} retry={() => void refetch()} />}
      <div ref={frame} className={classes.rows} tabIndex={0} role="region" aria-label={label}>
        <div role="table" aria-label={label} aria-rowcount={hasNextPage ? -1 : readings.length + 1}>
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row}>
              <span role="columnheader">Timestamp</span>
              <span role="columnheader">{unit === null ? 'Value' : `Value in ${unit}`}</span>
              <span role="columnheader">Delay</span>
            </div>
          </div>
          <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
            {rows.map(({ index, start }) => {
              const reading = readings[index];
              return (
                reading && (
                  <ReadingRow
                    key={`${reading.timestamp} ${reading.value}`}
                    series={wanted}
                    reading={reading}
                    settings={settings}
                    zone={zone}
                    rowIndex={index + 2}
                    top={start}
                  />
                )
              );
            })}
          </div>
        </div>
      </div>
      <Text size="sm" c="dimmed" mt="xs" mih={21} role="status">
        {data === undefined && error === null && 'Loading…'}
        {data !== undefined && readings.length === 0 && 'No readings in this range.'}
        {readings.length > 0 &&
          (hasNextPage ? 'Newest first. Scroll for more.' : 'All readings of the range.')}
      </Text>
    </div>
  );
}

interface ReadingRowProps {
  series: WantedReadings;
  reading: { timestamp: string; value: number; receivedAt: string };
  settings: KegSettings | undefined;
  zone: 'utc' | undefined;
  rowIndex: number;
  /** In pixels. */
  top: number;
}

/** How a value outside of its good range is marked, beside its colour. */
const MARKS = { good: '', low: '↓ ', high: '↑ ' };

function ReadingRow({
  series: { cellar, rack, keg },
  reading,
  settings,
  zone,
  rowIndex,
  top,
}: ReadingRowProps) {
  const { timestamp, value, receivedAt } = reading;
  const state = rangeState(value, settings) ?? 'good';
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell">
        <AppLink
          to="/cellars/$cellar/follow"
          params={{ cellar }}
          search={{ rack, keg, timestamp, value }}
          inherit
        >
          <time dateTime={timestamp} title={timestamp}>
            {describeToMillisecond(timestamp, new Date(), zone)}
          </time>
        </AppLink>
      </span>
      <span role="cell" title={String(value)} className={state === 'good' ? undefined : classes.outsideText}>
        {MARKS[state]}
        {value}
      </span>
      <span role="cell" title={`Received ${receivedAt}`}>
        {describeDelay(reading)}
      </span>
    </div>
  );
}
