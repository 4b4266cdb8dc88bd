import { Alert, Anchor, Code, Stack, Text } from '@mantine/core';
import type { Pipeline } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { DEAD_LETTERS_RUNBOOK } from './describe-status.ts';

type Problem = Pipeline['problems'][number];

/** What is wrong, each with its runbook. */
export function ProblemsList({
  problems,
  baseUrl,
}: {
  problems: readonly Problem[];
  baseUrl: string | null;
}) {
  return (
    <Stack gap="xs" mt={problems.length === 0 ? 0 : 'md'} role="status" aria-label="Problems">
      {problems.map((problem) => (
        <Alert
          key={problem.title + problem.text}
          color={problem.state === 'bad' ? 'red' : 'yellow'}
          variant="outline"
          title={problem.title}
          // Mantine's yellow title has too little contrast.
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          <Text size="sm">{problem.text}</Text>
          {problem.runbook === DEAD_LETTERS_RUNBOOK && (
            <AppLink to="/dead-letters" size="sm">
              Show dead letters
            </AppLink>
          )}
          <Text size="sm">
            Runbook: <Runbook name={problem.runbook} baseUrl={baseUrl} />
          </Text>
        </Alert>
      ))}
    </Stack>
  );
}

function Runbook({ name, baseUrl }: { name: string; baseUrl: string | null }) {
  if (baseUrl === null) return <Code>docs/runbooks/{name}.md</Code>;
  return (
    <Anchor size="sm" href={`${baseUrl.replace(/\/+$/, '')}/${name}.md`} target="_blank" rel="noreferrer">
      {name}
    </Anchor>
  );
}
