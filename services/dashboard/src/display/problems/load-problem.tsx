import { Alert, Button, Group, Text } from '@mantine/core';

export interface LoadProblemProps {
  /** As in "the chart". */
  what: string;
  error: Error;
  retry: () => void;
}

/** A request failed. Says what that means for the data, the first concern of the reader. */
export function LoadProblem({ what, error, retry }: LoadProblemProps) {
  return (
    <Alert color="red" title={`Couldn't load ${what}`} role="alert">
      <Text size="sm">{error.message}</Text>
      <Text size="sm">Ingestion is independent of the dashboard.</Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={retry}>
          Retry
        </Button>
      </Group>
    </Alert>
  );
}
