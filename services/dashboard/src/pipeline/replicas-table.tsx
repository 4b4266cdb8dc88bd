import type { Pipeline } from '../api/resources.ts';
import { Status } from '../display/status.tsx';
import type { StatusKind } from '../display/status.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { SmallPrint, Strong } from '../display/text.tsx';
import { describeMilliseconds, describeRate, describeSeconds } from './describe-status.ts';

interface Replica extends Pick<
  Pipeline['ingest']['replicas'][number],
  'process' | 'host' | 'version' | 'state' | 'reportAgeSeconds' | 'uptimeSeconds' | 'notReady'
> {
  service: string;
  perSecond: number | null;
  p99: number | undefined;
  behind?: number | null;
}

const KINDS: Record<Replica['state'], StatusKind> = {
  ready: 'ok',
  stopping: 'idle',
  'not ready': 'bad',
  silent: 'bad',
};

const COLUMNS: Column<Replica>[] = [
  {
    name: 'Replica',
    isTitle: true,
    cell: ({ service, host }) => (
      <>
        <Strong>{service}</Strong>
        <SmallPrint>{host}</SmallPrint>
      </>
    ),
  },
  {
    name: 'State',
    cell: ({ state, notReady }) => (
      <div>
        <Status kind={KINDS[state]}>{state}</Status>
        {notReady.map(({ part, reason }) => (
          <SmallPrint key={part}>
            {part}: {reason}
          </SmallPrint>
        ))}
      </div>
    ),
  },
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Up for', cell: ({ uptimeSeconds }) => describeSeconds(uptimeSeconds) },
  { name: 'Readings', isNumber: true, cell: ({ perSecond }) => describeRate(perSecond) },
  {
    name: 'p99',
    isNumber: true,
    cell: ({ p99, state }) => (p99 === undefined || state === 'silent' ? '–' : describeMilliseconds(p99)),
  },
  {
    name: 'Behind',
    isNumber: true,
    cell: ({ behind = null }) => (behind === null ? '–' : describeSeconds(behind)),
  },
  {
    name: 'Last report',
    isNumber: true,
    cell: ({ reportAgeSeconds }) => `${describeSeconds(reportAgeSeconds)} ago`,
  },
];

/** A row for each process of ingest and of the sink. Undefined: loading. */
export function ReplicasTable({ pipeline }: { pipeline: Pipeline | undefined }) {
  const ingest = pipeline?.ingest.replicas.map((replica) => ({
    ...{
      ...replica,
      service: 'ingest',
      perSecond: replica.acceptedPerSecond,
      p99: replica.acknowledgeMs?.p99,
    },
  }));
  const sink = pipeline?.sink.replicas.map((replica) => ({
    ...{ ...replica, service: 'sink', perSecond: replica.storedPerSecond, p99: replica.storeMs?.p99 },
    behind: replica.behindSeconds,
  }));
  return (
    <ListTable
      label="Replicas"
      columns={COLUMNS}
      expectedRows={2}
      rows={ingest && sink && [...ingest, ...sink]}
      keyOf={(replica) => replica.process}
    />
  );
}
