import { Paper, Title } from '@mantine/core';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { describeAcknowledgement, describeRejected } from './describe-sent.ts';
import type { SentReading } from './describe-sent.ts';
import { Step, Steps } from './steps.tsx';
import { VisibleStep } from './visible-step.tsx';

export interface TestReadingPathProps {
  cellar: string;
  result: SentReading;
  /** Milliseconds since 1970, by the clock of the browser. */
  sentAt: number;
}

/** The path of a test reading, with figures from the acknowledgement of Kafka and from ClickHouse only. */
export function TestReadingPath({ cellar, result, sentAt }: TestReadingPathProps) {
  const { reading, receivedAt, stored, status } = result;
  const rejected = status === 200 ? undefined : describeRejected(result);
  return (
    <Paper withBorder p="lg" component="section" aria-label="Path of the test reading">
      <Title order={3} size="h4" mb="md">
        Path
      </Title>
      <Steps>
        <Step
          kind="ok"
          title={`Sent to ingest: ${reading.rack}, ${reading.keg}, ${describeExactly(reading.value)}`}
        >
          Timestamp <time dateTime={reading.timestamp}>{reading.timestamp}</time>
        </Step>
        {rejected !== undefined ? (
          <Step kind="bad" title={rejected.title}>
            {rejected.text}{' '}
            {rejected.leadsToKeys && (
              <AppLink to="/cellars/$cellar/keys" params={{ cellar }} inherit underline="always">
                API keys
              </AppLink>
            )}
          </Step>
        ) : (
          <>
            <Step
              kind="ok"
              title={
                stored === null
                  ? 'Acknowledged by Kafka'
                  : `Acknowledged after ${describeExactly(stored.acknowledged_after_ms)} ms`
              }
            >
              {describeAcknowledgement(stored, Date.parse(receivedAt ?? reading.timestamp))}
            </Step>
            <VisibleStep
              cellar={cellar}
              identity={reading}
              receivedAt={receivedAt ?? reading.timestamp}
              sinceMs={sentAt}
            />
          </>
        )}
      </Steps>
    </Paper>
  );
}
