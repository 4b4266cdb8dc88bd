import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Cellar } from '../api/resources.ts';
import { cellarQuery } from '../cellars/cellars-query.ts';
import { describeExactly, plural } from '../display/describe-number.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { useNotice } from '../display/use-notice.tsx';
import { PageHeading } from '../display/blocks.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { KegsSection } from '../kegs/kegs-section.tsx';
import { useOwner } from '../session/roles.tsx';
import { ArchiveSection } from './archive-section.tsx';
import { LineProtocolSection } from './line-protocol-section.tsx';
import { RateLimitSection } from './rate-limit-section.tsx';
import { RetentionSection } from './retention-section.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/settings');

/** Retention, rate limit, line protocol, kegs and archiving of a cellar. */
export function SettingsPage() {
  const { cellar: name } = route.useParams();
  usePageTitle('Settings', name);
  const isOwner = useOwner();
  const { notice, finish } = useNotice('cellars', 'cellar', 'keys', 'keg settings', 'audit');
  const { data: cellar, error, refetch } = useQuery(cellarQuery(name));

  const isEditable = isOwner && cellar?.archivedAt === null;

  return (
    <Stack gap="lg">
      <div>
        <PageHeading>Settings</PageHeading>
        {notice}
      </div>
      {error !== null && cellar === undefined && (
        <LoadProblem what="the settings" error={error} retry={() => void refetch()} />
      )}
      {cellar === undefined && error === null && <Skeleton height={420} />}
      {cellar !== undefined && !isEditable && <FixedSettings cellar={cellar} />}
      {cellar !== undefined && isEditable && (
        <Stack gap="lg" maw={640}>
          {/* The key recreates a section after its change, so that its fields have the new values. */}
          <RetentionSection key={cellar.retentionDays} cellar={cellar} finish={finish} />
          <RateLimitSection key={JSON.stringify(cellar.rateLimit)} cellar={cellar} finish={finish} />
          <LineProtocolSection key={cellar.lineProtocolKeg} cellar={cellar} finish={finish} />
        </Stack>
      )}
      {cellar !== undefined && <KegsSection cellar={name} isEditable={isEditable} finish={finish} />}
      {cellar !== undefined && isEditable && (
        <Stack maw={640}>
          <ArchiveSection cellar={cellar} finish={finish} />
        </Stack>
      )}
    </Stack>
  );
}

/** For users who are not owners, and of an archived cellar. */
function FixedSettings({ cellar: { retentionDays, rateLimit, archivedAt } }: { cellar: Cellar }) {
  return (
    <Text>
      Readings are kept for {plural(retentionDays, 'day')}.{' '}
      {rateLimit !== null &&
        `Rate limit for all keys: ${describeExactly(rateLimit.perSecond)}/s, burst ${describeExactly(rateLimit.burst)}. `}
      {archivedAt === null
        ? 'Only owners can change settings.'
        : 'Settings of an archived cellar cannot be changed.'}
    </Text>
  );
}
