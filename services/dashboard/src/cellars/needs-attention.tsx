import { Paper, Stack, Text, Title } from '@mantine/core';
import type { Cellar } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { Status } from '../display/status.tsx';
import { SILENT_RACKS } from '../racks/racks-search.ts';
import { NO_ACTIVITY } from './activity.ts';
import type { Activity } from './activity.ts';
import { cellarStatus } from './cellar-status.ts';

const MOST = 5;

export interface NeedsAttentionProps {
  cellars: readonly Cellar[];
  activity: ReadonlyMap<string, Activity>;
  /** When the activity was loaded, in milliseconds since 1970. */
  now: number;
}

/** The listed cellars that a user should look at, the worst first. Nothing, if there is none. */
export function NeedsAttention({ cellars, activity, now }: NeedsAttentionProps) {
  const troubled = cellars
    .map(({ name, rejectedLastHour }) => ({
      name,
      ...cellarStatus(activity.get(name) ?? NO_ACTIVITY, rejectedLastHour, now),
    }))
    .filter(({ attention, silentRacks }) => attention !== undefined || silentRacks !== undefined)
    .sort((a, b) => Number(b.kind === 'bad') - Number(a.kind === 'bad'));
  if (troubled.length === 0) return null;
  return (
    <Paper withBorder p="sm" component="section" aria-label="Needs attention">
      <Title order={2} size="sm" mb={6}>
        Needs attention
      </Title>
      <Stack gap={4}>
        {troubled.slice(0, MOST).map(({ name, kind, word, attention, silentRacks }) => (
          <Text key={name} size="sm" component="div">
            <Status kind={kind}>{word}</Status>{' '}
            <AppLink to="/cellars/$cellar" params={{ cellar: name }} inherit fw={600}>
              {name}
            </AppLink>
            {attention !== undefined && `, ${attention}`}
            {silentRacks !== undefined && (
              <>
                ,{' '}
                <AppLink to="/cellars/$cellar/racks" params={{ cellar: name }} search={SILENT_RACKS} inherit>
                  {silentRacks}
                </AppLink>
              </>
            )}
          </Text>
        ))}
      </Stack>
      {troubled.length > MOST && (
        <Text size="sm" c="dimmed" mt={4}>
          and {troubled.length - MOST} more
        </Text>
      )}
    </Paper>
  );
}
