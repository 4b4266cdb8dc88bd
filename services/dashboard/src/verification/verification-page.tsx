import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { toCsv } from './describe-verification.ts';
import { HoursTable } from './hours-table.tsx';
import { VerificationSummary } from './verification-badge.tsx';
import { verificationQuery } from './verification-query.ts';

const route = getRouteApi('/signed-in/cellars/$cellar/verification');

/** What was compared, hour by hour. */
export function VerificationPage() {
  const { cellar } = route.useParams();
  usePageTitle('Verification', cellar);
  const verification = useQuery(verificationQuery(cellar));
  const { data, error, refetch } = verification;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Verification
        </Title>
        <Button
          component="a"
          variant="default"
          disabled={data === undefined}
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(data?.hours ?? []))}`}
          download={`${cellar}-verification.csv`}
        >
          Export CSV
        </Button>
      </Group>
      <Text size="sm" c="dimmed" maw="48rem">
        About 15 minutes after an hour ends, every reading of it in Kafka is compared with ClickHouse. Later
        checks notice whether a row of the hour was added, removed or altered. A reading belongs to the hour
        in which it was received first.
      </Text>
      {error !== null && data === undefined ? (
        <LoadProblem what="the verification" error={error} retry={() => void refetch()} />
      ) : (
        <>
          {data !== undefined && (
            <Group>
              <VerificationSummary verification={data} />
            </Group>
          )}
          <HoursTable hours={data?.hours} />
        </>
      )}
    </Stack>
  );
}
