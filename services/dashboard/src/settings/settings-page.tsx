import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { cellarQuery } from '../cellars/cellars-query.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Notice } from '../display/notice.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { KegsSection } from '../kegs/kegs-section.tsx';
import { useOwner } from '../session/use-owner.ts';
import { ArchiveSection } from './archive-section.tsx';
import { RateLimitSection } from './rate-limit-section.tsx';
import { RetentionSection } from './retention-section.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/settings');

/** Retention, rate limit, kegs and archiving of a cellar. */
export function SettingsPage() {
  const { cellar: name } = route.useParams();
  usePageTitle('Settings', name);
  const isOwner = useOwner();
  const queryClient = useQueryClient();
  const [notice, setNotice] = useState<string>();
  const { data: cellar, error, refetch } = useQuery(cellarQuery(name));

  const finish = (done: string): void => {
    setNotice(done);
    for (const changed of ['cellars', 'cellar', 'keys', 'keg settings', 'audit']) {
      void queryClient.invalidateQueries({ queryKey: [changed] });
    }
  };

  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h3">
          Settings
        </Title>
        <Notice close={() => setNotice(undefined)}>{notice}</Notice>
      </div>
      {error !== null && cellar === undefined && (
        <LoadProblem what="the settings" error={error} retry={() => void refetch()} />
      )}
      {cellar === undefined && error === null && <Skeleton height={420} />}
      {cellar !== undefined && !isOwner && (
        <Text>Readings are kept for {cellar.retentionDays} days. Only owners can change settings.</Text>
      )}
      {cellar !== undefined && isOwner && (
        <Stack gap="lg" maw={640}>
          {/* The key recreates a section after its change, so that its fields have the new values. */}
          <RetentionSection key={cellar.retentionDays} cellar={cellar} finish={finish} />
          <RateLimitSection key={JSON.stringify(cellar.rateLimit)} cellar={cellar} finish={finish} />
        </Stack>
      )}
      {cellar !== undefined && (
        <KegsSection cellar={name} isEditable={isOwner && cellar.archivedAt === null} finish={finish} />
      )}
      {cellar !== undefined && isOwner && cellar.archivedAt === null && (
        <Stack maw={640}>
          <ArchiveSection cellar={cellar} finish={finish} />
        </Stack>
      )}
    </Stack>
  );
}
