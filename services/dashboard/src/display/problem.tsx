import { Alert } from '@mantine/core';

/** Why something that a person asked for was not done. */
export function Problem({ error, what }: { error: unknown; what: string }) {
  if (error === undefined || error === null) return null;
  return (
    <Alert color="red" title={`Couldn't ${what}`} role="alert">
      {error instanceof Error ? error.message : 'Something unexpected happened.'}
    </Alert>
  );
}
