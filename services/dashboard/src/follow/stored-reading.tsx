import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AppLink } from '../display/app-link.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Fact } from '../display/blocks.tsx';
import { KeyLink } from '../key/key-facts.tsx';
import { describeValue } from '../kegs/describe-value.ts';
import { useKegSettings } from '../kegs/keg-settings.ts';
import { describeDelay, describeToMillisecond } from '../rack/describe-reading.ts';
import { useMayChangeKeys } from '../session/roles.tsx';
import { readingQuery } from './follow-queries.ts';
import type { ReadingIdentity } from './follow-search.ts';
import { Step, Steps } from './steps.tsx';

/** What is stored about one reading, and nothing else. */
export function StoredReading({ cellar, identity }: { cellar: string; identity: ReadingIdentity }) {
  const mayChange = useMayChangeKeys();
  const [since] = useState(() => Date.now());
  const { data, error, refetch } = useQuery(readingQuery(cellar, identity, since));
  const settings = useKegSettings(cellar).get(identity.keg);
  if (error !== null && data === undefined) {
    return <LoadProblem what="the reading" error={error} retry={() => void refetch()} />;
  }
  const { rack, keg, timestamp, value } = identity;
  const reading = data?.reading;
  return (
    <Paper withBorder p="lg" component="section" aria-label="The reading">
      <Stack>
        <Title order={3} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {describeValue(value, settings).text} · {keg}
        </Title>
        <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2 }} spacing="md">
          <Fact name="Rack">
            <AppLink to="/cellars/$cellar/racks/$rack" params={{ cellar, rack }} inherit>
              {rack}
            </AppLink>
          </Fact>
          {typeof reading?.keyId === 'string' && (
            <Fact name="API key">
              <KeyLink cellar={cellar} id={reading.keyId} />
            </Fact>
          )}
          <Fact name="Timestamp">{timestamp}</Fact>
          <Fact name="Exact value">{String(value)}</Fact>
        </SimpleGrid>
        {reading === null ? (
          <Step kind="waiting" title="Not in ClickHouse, or not visible yet">
            It may be on its way, rejected, or older than the retention of this cellar. The page keeps
            looking.
          </Step>
        ) : (
          reading !== undefined && (
            <Steps>
              <Step kind="ok" title={`Received by ingest at ${clockOf(reading.receivedAt)}`}>
                {describeDelay({ timestamp, receivedAt: reading.receivedAt })} after its timestamp, by the
                clocks of the device and of ingest.
              </Step>
              <Step
                kind="ok"
                title={
                  reading.storedAt === null
                    ? 'Stored in ClickHouse'
                    : `Stored in ClickHouse at ${clockOf(reading.storedAt)}`
                }
              >
                {reading.storedAt !== null &&
                  `The insert began ${describeDelay({ timestamp: reading.receivedAt, receivedAt: reading.storedAt })} after receipt. `}
                <AppLink to="/cellars/$cellar/verification" params={{ cellar }} inherit underline="always">
                  Verification of its hour
                </AppLink>
              </Step>
            </Steps>
          )
        )}
        {mayChange && (
          <Text size="sm" c="dimmed">
            Partition and offset are not stored with a reading.{' '}
            <AppLink
              to="/cellars/$cellar/follow"
              params={{ cellar }}
              search={{ rack, keg }}
              inherit
              underline="always"
            >
              Send a test reading
            </AppLink>{' '}
            to see them.
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function clockOf(at: string): string {
  return describeToMillisecond(at, new Date());
}
