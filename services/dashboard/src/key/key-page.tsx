import { Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { AppLink } from '../display/app-link.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Notice } from '../display/notice.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { EditKeyDialog } from '../keys/edit-key-dialog.tsx';
import { RevokeDialog } from '../keys/revoke-dialog.tsx';
import { RotateDialog } from '../keys/rotate-dialog.tsx';
import { SecretDialog } from '../keys/secret-dialog.tsx';
import type { NewSecret } from '../keys/secret-dialog.tsx';
import { CountsCharts, READINGS_HEIGHT } from '../overview/counts-charts.tsx';
import { RANGE_NAMES, RANGES } from '../overview/ranges.ts';
import { rejectionCountsQuery, rejectionsQuery } from '../rejections/rejections-queries.ts';
import { RejectionsTable } from '../rejections/rejections-table.tsx';
import { KeyFacts } from './key-facts.tsx';
import { keyQuery, keyUsageQuery } from './key-queries.ts';
import { KeyRacks } from './key-racks.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/keys/$id');

type Open = { dialog: 'edit' | 'rotate' | 'revoke' } | { dialog: 'secret'; secret: NewSecret };

/** One API key: what it is used for, what was rejected, and what can be done with it. */
export function KeyPage() {
  const { cellar, id } = route.useParams();
  const { range = 'hour' } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const [notice, setNotice] = useState<ReactNode>();
  const key = useQuery(keyQuery(cellar, id));
  const usage = useQuery(keyUsageQuery(cellar, id, range));
  const rejectedByStep = useQuery(rejectionCountsQuery(cellar, range, id));
  const rejections = useQuery(rejectionsQuery(cellar, range, id));
  const { data: apiKey, error, refetch } = key;
  usePageTitle(apiKey?.name ?? 'API Key', cellar);

  if (error !== null && apiKey === undefined) {
    return <LoadProblem what="the API key" error={error} retry={() => void refetch()} />;
  }

  const close = (): void => setOpen(undefined);
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['keys', cellar] });
    void queryClient.invalidateQueries({ queryKey: ['audit', cellar] });
  };
  const finish = (text: ReactNode): void => {
    close();
    setNotice(text);
    refresh();
  };
  const showSecret = (secret: NewSecret): void => {
    setNotice(undefined);
    setOpen({ dialog: 'secret', secret });
    refresh();
  };

  return (
    <Stack gap="lg">
      <div>
        <AppLink to="/cellars/$cellar/keys" params={{ cellar }} size="sm">
          All API keys
        </AppLink>
        <Group justify="space-between" mt={4}>
          <Skeleton visible={apiKey === undefined} w="auto">
            <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
              {apiKey?.name ?? 'Loading'}
            </Title>
          </Skeleton>
          {apiKey !== undefined && apiKey.state !== 'revoked' && (
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => setOpen({ dialog: 'edit' })}>
                Edit
              </Button>
              {apiKey.state === 'active' && (
                <Button size="xs" variant="default" onClick={() => setOpen({ dialog: 'rotate' })}>
                  Rotate
                </Button>
              )}
              <Button size="xs" variant="default" onClick={() => setOpen({ dialog: 'revoke' })}>
                Revoke
              </Button>
            </Group>
          )}
        </Group>
        <Notice close={() => setNotice(undefined)}>{notice}</Notice>
      </div>
      {apiKey !== undefined && <KeyFacts apiKey={apiKey} />}

      <Group justify="space-between">
        <Title order={3} size="h4">
          Readings per {RANGES[range].stepName}
        </Title>
        <SegmentedControl
          aria-label="Time range"
          value={range}
          onChange={(value) => {
            const chosen = RANGE_NAMES.find((name) => name === value);
            void navigate({ search: present({ range: chosen === 'hour' ? undefined : chosen }) });
          }}
          data={RANGE_NAMES.map((name) => ({ value: name, label: RANGES[name].label }))}
        />
      </Group>
      {usage.error !== null && usage.data === undefined ? (
        <LoadProblem what="the usage of the key" error={usage.error} retry={() => void usage.refetch()} />
      ) : usage.data === undefined ? (
        <Skeleton height={READINGS_HEIGHT} />
      ) : (
        <>
          <CountsCharts counts={usage.data.counts} rejected={rejectedByStep.data} range={range} />
          <KeyRacks cellar={cellar} usage={usage.data} range={range} />
        </>
      )}

      <Stack gap="sm">
        <Title order={3} size="h4">
          Rejected readings
        </Title>
        {rejections.error !== null && rejections.data === undefined ? (
          <LoadProblem
            what="the rejected readings"
            error={rejections.error}
            retry={() => void rejections.refetch()}
          />
        ) : rejections.data?.length === 0 ? (
          <Text c="dimmed">No rejected readings in the {RANGES[range].label.toLowerCase()}.</Text>
        ) : (
          <RejectionsTable cellar={cellar} rejections={rejections.data} />
        )}
      </Stack>

      {apiKey !== undefined && open?.dialog === 'edit' && (
        <EditKeyDialog apiKey={apiKey} close={close} finish={finish} />
      )}
      {apiKey !== undefined && open?.dialog === 'rotate' && (
        <RotateDialog apiKey={apiKey} close={close} showSecret={showSecret} />
      )}
      {apiKey !== undefined && open?.dialog === 'revoke' && (
        <RevokeDialog apiKey={apiKey} close={close} finish={finish} />
      )}
      {open?.dialog === 'secret' && <SecretDialog secret={open.secret} close={close} />}
    </Stack>
  );
}
