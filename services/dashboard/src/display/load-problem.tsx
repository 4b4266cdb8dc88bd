import { Alert, Button, Group, Text } from '@mantine/core';

export interface LoadProblemProps {
  /** As in "the chart". */
  what: string;
  error: Error;
  retry: () => void;
}

/** Something could not be read. Says what that means for the data, since that is the first fear. */
export function LoadProblem({ what, error, retry }: LoadProblemProps) {
  return (
    <Alert color="red" title={`Couldn't load ${what}`} role="alert">
      <Text size="sm">{error.message} Readings are still being stored.</Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={retry}>
          Retry
        </Button>
      </Group>
    </Alert>
  );
}
