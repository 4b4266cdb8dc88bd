import { Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import type { Pipeline } from '../api/resources.ts';
import { describeExactly, plural } from '../display/describe-number.ts';
import { describeMilliseconds, describeRate, describeSeconds } from './describe-status.ts';
import classes from './stages.module.css';

type Figures = [label: string, value: string][];

/** The four stages of a reading, with their figures. Undefined: loading. */
export function Stages({ pipeline }: { pipeline: Pipeline | undefined }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" component="ol" className={classes.stages}>
      <Stage name="ingest" figures={pipeline && ingestFigures(pipeline)} />
      <Stage name="Kafka" figures={pipeline && kafkaFigures(pipeline)} />
      <Stage name="sink" figures={pipeline && sinkFigures(pipeline)} />
      <Stage name="ClickHouse" figures={pipeline && clickHouseFigures(pipeline)} />
    </SimpleGrid>
  );
}

function Stage({ name, figures }: { name: string; figures: Figures | undefined }) {
  return (
    <Paper withBorder p="md" component="li">
      <Title order={2} size="h5" mb="xs">
        {name}
      </Title>
      {figures === undefined ? (
        <Skeleton height={112} />
      ) : (
        <dl className={classes.figures}>
          {figures.map(([label, value]) => (
            <div key={label}>
              <Text component="dt" size="sm" c="dimmed">
                {label}
              </Text>
              <Text component="dd" size="sm" fw={600} m={0}>
                {value}
              </Text>
            </div>
          ))}
        </dl>
      )}
    </Paper>
  );
}

function ingestFigures({ ingest }: Pipeline): Figures {
  return [
    ['Accepted', describeRate(ingest.acceptedPerSecond)],
    ['Rejected', describeRate(ingest.rejectedPerSecond)],
    ['Failed (5xx)', describeRate(ingest.failedPerSecond)],
    ['Acknowledged, p99', slowest(ingest.replicas.map(({ acknowledgeMs }) => acknowledgeMs?.p99))],
    ['Replicas', describeReplicas(ingest.replicas)],
  ];
}

function kafkaFigures({ kafka: { ageSeconds, partitions } }: Pipeline): Figures {
  const lags = partitions.map(({ lag }) => lag);
  const isKnown = ageSeconds !== null && lags.every((lag) => lag !== null);
  const inSync = partitions.filter((partition) => partition.inSync === partition.replicas).length;
  return [
    [
      'Lag',
      isKnown
        ? plural(
            lags.reduce((sum, lag) => sum + lag, 0),
            'message',
          )
        : 'unknown',
    ],
    ['Partitions', ageSeconds === null ? 'unknown' : describeExactly(partitions.length)],
    ['Fully in sync', ageSeconds === null ? 'unknown' : `${inSync} of ${partitions.length}`],
    ['Last checked', ageSeconds === null ? 'unknown' : `${describeSeconds(ageSeconds)} ago`],
  ];
}

function sinkFigures({ sink, behindSeconds }: Pipeline): Figures {
  return [
    ['Stored', describeRate(sink.storedPerSecond)],
    ['Behind', behindSeconds === null ? 'idle' : describeSeconds(behindSeconds)],
    ['Dead letters', describeRate(sink.deadLettersPerSecond)],
    ['Replicas', describeReplicas(sink.replicas)],
  ];
}

/** As the sinks see it: nothing else knows whether it stores readings. */
function clickHouseFigures({ sink: { replicas } }: Pipeline): Figures {
  const live = replicas.filter(({ state }) => state !== 'silent');
  const isAway = live.some(({ notReady }) => notReady.some(({ part }) => part === 'clickhouse'));
  return [
    ['Inserts', live.length === 0 ? 'unknown' : isAway ? 'failing' : 'accepted'],
    ['Insert, median', slowest(live.map(({ storeMs }) => storeMs?.p50))],
    ['Insert, p99', slowest(live.map(({ storeMs }) => storeMs?.p99))],
  ];
}

/** Percentiles of several replicas have no sum: the slowest one counts. */
function slowest(milliseconds: readonly (number | undefined)[]): string {
  const known = milliseconds.filter((value) => value !== undefined);
  return known.length === 0 ? 'no data' : describeMilliseconds(Math.max(...known));
}

function describeReplicas(replicas: readonly { state: string }[]): string {
  const ready = replicas.filter(({ state }) => state === 'ready').length;
  return ready === replicas.length ? `${ready} ready` : `${ready} of ${replicas.length} ready`;
}
