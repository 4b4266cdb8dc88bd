import { Alert } from '@mantine/core';

/** Why an action failed. */
export function Problem({ error, what }: { error: unknown; what: string }) {
  if (error === undefined || error === null) return null;
  return (
    <Alert color="red" title={`Couldn't ${what}`} role="alert">
      {error instanceof Error ? error.message : 'Unexpected error'}
    </Alert>
  );
}
