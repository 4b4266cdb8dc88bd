import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { deadLetterCountsQuery } from '../dead-letters/dead-letters-queries.ts';
import { AppLink } from '../display/app-link.tsx';
import { Part } from '../display/blocks.tsx';
import { plural } from '../display/describe-number.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Status } from '../display/status.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { PollBadge } from '../live/live-badge.tsx';
import { OwnersOnly } from '../session/roles.tsx';
import { describeStatus } from './describe-status.ts';
import { PartitionsTable } from './partitions-table.tsx';
import { PipelineHistorySection } from './pipeline-history.tsx';
import { pipelineQuery, PIPELINE_REFRESH_MS } from './pipeline-query.ts';
import { ProblemsList } from './problems-list.tsx';
import { ReplicasTable } from './replicas-table.tsx';
import { Stages } from './stages.tsx';

/** Whether readings get from ingest to ClickHouse, and what keeps them from it. */
export function PipelinePage() {
  usePageTitle('Pipeline');
  return (
    <OwnersOnly>
      <PipelineHealth />
    </OwnersOnly>
  );
}

function PipelineHealth() {
  const pipeline = useQuery(pipelineQuery);
  const { data: deadLetters } = useQuery(deadLetterCountsQuery);
  const { data, error, refetch } = pipeline;
  const { kind, words } = describeStatus(data, error === null);
  return (
    <Stack gap="lg">
      <div>
        <Group justify="space-between">
          <Title order={1} size="h2">
            Pipeline
          </Title>
          {data !== undefined && (
            <Group gap="md">
              <Group gap="xs" role="status">
                <Status kind={kind}>{words}</Status>
              </Group>
              {/* It also changes, and matters most, while no readings arrive. */}
              <PollBadge everyMs={PIPELINE_REFRESH_MS} error={error} />
            </Group>
          )}
        </Group>
        <Text c="dimmed">Figures of the last 30 seconds, reported by each replica every 2 seconds.</Text>
        {data !== undefined && <ProblemsList problems={data.problems} baseUrl={data.runbookBaseUrl} />}
        <DeadLetters open={deadLetters?.open ?? 0} />
      </div>
      {error !== null && data === undefined ? (
        <LoadProblem what="the pipeline" error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Stages pipeline={data} />
          <PipelineHistorySection />
          <Part order={2} title="Replicas">
            <ReplicasTable pipeline={data} />
          </Part>
          <Part order={2} title="Partitions">
            <PartitionsTable kafka={data?.kafka} />
          </Part>
        </>
      )}
    </Stack>
  );
}

function DeadLetters({ open }: { open: number }) {
  if (open === 0) return null;
  return (
    <Text size="sm" mt="xs">
      <AppLink to="/dead-letters" inherit fw={600}>
        {plural(open, 'open dead letter')}
      </AppLink>
      : messages in the topic that are not valid readings.
    </Text>
  );
}
