import { Box, Group, Paper, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '../display/app-link.tsx';
import { Status } from '../display/status.tsx';
import type { StatusKind } from '../display/status.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { describeClock } from '../display/time/describe-time.ts';
import { useEverySecond } from '../display/time/use-every-second.ts';
import { ExactTime } from '../display/time/moment.tsx';
import { describeFigures, describeUnchecked, verdictOf } from './describe-verification.ts';
import type { Verdict } from './describe-verification.ts';
import { verificationQuery } from './verification-query.ts';
import type { Verification } from './verification-query.ts';

const VERDICTS: Readonly<Record<Verdict, { kind: StatusKind; label: string }>> = {
  match: { kind: 'ok', label: 'Verified' },
  mismatch: { kind: 'bad', label: 'Mismatch' },
  unknown: { kind: 'idle', label: 'Not fully checked' },
  nothing: { kind: 'idle', label: 'Nothing to verify yet' },
};

/** Is every acknowledged reading of the last day stored exactly once? Leads to the hours. */
export function VerificationBadge({ cellar }: { cellar: string }) {
  const { data, error, refetch } = useQuery(verificationQuery(cellar));
  if (error !== null && data === undefined) {
    return <LoadProblem what="the verification" error={error} retry={() => void refetch()} />;
  }
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label="Verification of the last 24 h">
      {data === undefined ? (
        // On a phone, the text has several lines.
        <Box h={{ base: 106, sm: 24 }}>
          <Skeleton height="100%" />
        </Box>
      ) : (
        <Group justify="space-between" gap="xs">
          <VerificationSummary verification={data} />
          <AppLink to="/cellars/$cellar/verification" params={{ cellar }} size="sm">
            Details by hour
          </AppLink>
        </Group>
      )}
    </Paper>
  );
}

export function VerificationSummary({ verification }: { verification: Verification }) {
  const verdict = useEverySecond((now) => verdictOf(verification, now));
  const { kind, label } = VERDICTS[verdict];
  const { total, hours, checkedAt } = verification;
  const unchecked = describeUnchecked(hours);
  return (
    <Group gap="xs" flex="1 1 16rem" fz="sm">
      <Status kind={kind}>{label}</Status>
      <Text size="sm" flex="1 1 14rem">
        Last 24 h:{' '}
        {checkedAt === null ? (
          'no completed hour verified yet. Hours are verified about 15 minutes after they end.'
        ) : (
          <>
            {describeFigures(total)}, checked{' '}
            <ExactTime at={new Date(checkedAt)}>{describeClock(new Date(checkedAt), new Date())}</ExactTime>
            {unchecked !== undefined && `. ${unchecked}`}
          </>
        )}
      </Text>
    </Group>
  );
}
