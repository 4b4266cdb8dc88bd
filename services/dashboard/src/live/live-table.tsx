import { Skeleton, Table } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Rejection } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly, plural } from '../display/describe-number.ts';
import { Moment } from '../display/time/moment.tsx';
import { describeValue } from '../kegs/describe-value.ts';
import type { KegSettingsByName } from '../kegs/keg-settings.ts';
import { describeRejection } from '../rejections/describe-rejection.ts';
import type { Arrival, TailRow } from './tail.ts';
import classes from './live-table.module.css';
import { latencyOf } from './tail.ts';

export type RejectedMinute = Rejection & { minute: string };
export type LiveRow = TailRow | { kind: 'rejected'; id: string; at: number; rejected: RejectedMinute };

export interface LiveTableProps {
  cellar: string;
  /** Undefined: loading. */
  rows: readonly LiveRow[] | undefined;
  kegs: KegSettingsByName;
}

/** Older measurements show their age: a device may send what it has stored. */
const OLD_MS = 60_000;

export function LiveTable({ cellar, rows, kegs }: LiveTableProps) {
  return (
    <Table className={classes.table} aria-label="Live readings" aria-busy={rows === undefined}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Received</Table.Th>
          <Table.Th>Rack</Table.Th>
          <Table.Th>Keg</Table.Th>
          <Table.Th ta="right">Value</Table.Th>
          <Table.Th ta="right">Visible after</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows === undefined
          ? Array.from({ length: 8 }, (_, row) => (
              <tr key={row} aria-hidden>
                <td colSpan={5}>
                  <Skeleton height={20} />
                </td>
              </tr>
            ))
          : rows.map((row) => <Row key={row.id} cellar={cellar} row={row} kegs={kegs} />)}
      </Table.Tbody>
    </Table>
  );
}

function Row({ cellar, row, kegs }: { cellar: string; row: LiveRow; kegs: KegSettingsByName }) {
  if (row.kind === 'more') {
    return (
      <tr className={classes.more}>
        <td colSpan={5}>
          {row.isComplete ? `+ ${describeExactly(row.count)} more` : 'Some readings are not shown'}
        </td>
      </tr>
    );
  }
  if (row.kind === 'rejected') return <RejectedRow rejected={row.rejected} />;
  return <ReadingRow cellar={cellar} arrival={row.arrival} kegs={kegs} />;
}

interface ReadingRowProps {
  cellar: string;
  arrival: Arrival;
  kegs: KegSettingsByName;
}

/** The whole row leads to the reading; the link is for the keyboard. */
function ReadingRow({ cellar, arrival, kegs }: ReadingRowProps) {
  const { rack, keg, value, receivedAt, timestamp } = arrival;
  const link = {
    ...{ to: '/cellars/$cellar/follow', params: { cellar }, search: { rack, keg, timestamp, value } },
  } as const;
  const navigate = useNavigate();
  const open = (): void => {
    // Selecting text is no click.
    if (document.getSelection()?.isCollapsed !== false) void navigate(link);
  };
  const { text, state } = describeValue(value, kegs.get(keg));
  const latency = latencyOf(arrival);
  return (
    <tr className={classes.reading} onClick={open}>
      <td className={classes.time}>
        <AppLink {...link} inherit onClick={(event) => event.stopPropagation()}>
          <Clock at={receivedAt} />
        </AppLink>
        {Date.parse(receivedAt) - Date.parse(timestamp) > OLD_MS && (
          <div className={classes.detail}>
            measured <Moment at={timestamp} />
          </div>
        )}
      </td>
      <td className={classes.rack}>{rack}</td>
      <td className={classes.keg}>{keg}</td>
      <td className={classes.value} data-state={state}>
        {text}
        {(state === 'low' || state === 'high') && (
          <div className={classes.detail}>{state === 'low' ? 'low' : 'high'}</div>
        )}
      </td>
      <td className={classes.latency} data-exact={latency.isExact}>
        {latency.isExact ? '' : '≥ '}
        {describeLatency(latency.ms)}
      </td>
    </tr>
  );
}

/** A count and not a request: ingest counts rejections by key, reason and minute. */
function RejectedRow({ rejected }: { rejected: RejectedMinute }) {
  const { lastAt, count, code, field, rack, key } = rejected;
  return (
    <tr className={classes.rejected}>
      <td className={classes.time}>
        <Clock at={lastAt} />
      </td>
      <td colSpan={4}>
        <strong>{plural(count, 'rejected', 'rejected')} in this minute</strong>:{' '}
        {describeRejection(code).label}
        {field !== null && ` (${field})`}, key {key.name}
        {rack !== null && `, last rack ${rack}`}
      </td>
    </tr>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
});

function Clock({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {clock.format(new Date(at))}
    </time>
  );
}

function describeLatency(ms: number): string {
  return ms < 1_000 ? `${describeExactly(ms)} ms` : `${describeExactly(Math.round(ms / 100) / 10)} s`;
}
