import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useUpdated } from '../../api/release.ts';
import { AppLink } from '../app-link.tsx';
import { describeProblem, problemKind } from './describe-problem.ts';

export interface LoadProblemProps {
  /** As in "the chart". */
  what: string;
  error: Error;
  retry: () => void;
  /** It takes the place of the page, so its title is the heading. */
  isPage?: boolean;
}

/** A request failed: what happened, and the one thing that helps. */
export function LoadProblem({ what, error, retry, isPage = false }: LoadProblemProps) {
  const { online } = useNetwork();
  const kind = problemKind(error, { isOnline: online, isUpdated: useUpdated() });
  const { title, text, action } = describeProblem(kind, what, error);
  return (
    <Alert
      color={kind === 'gone' || kind === 'updated' ? 'gray' : 'red'}
      title={
        isPage ? (
          <Title order={1} size="h4">
            {title}
          </Title>
        ) : (
          title
        )
      }
      role="alert"
    >
      <Text size="sm">{text}</Text>
      <Group mt="sm">
        {action === 'cellars' ? (
          <AppLink to="/" size="sm">
            All cellars
          </AppLink>
        ) : (
          <Button
            size="xs"
            variant="default"
            onClick={action === 'reload' ? () => window.location.reload() : retry}
          >
            {action === 'reload' ? 'Reload' : 'Retry'}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Why an action failed. */
export function Problem({ error, what }: { error: unknown; what: string }) {
  if (error === undefined || error === null) return null;
  return (
    <Alert color="red" title={`Couldn't ${what}`} role="alert">
      {error instanceof Error ? error.message : 'Unexpected error'}
    </Alert>
  );
}
