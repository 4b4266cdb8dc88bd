import { Alert, Badge, Group, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { cellarQuery } from '../cellars/cellars-query.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import classes from './cellar-frame.module.css';

const route = getRouteApi('/signed-in/cellars/$cellar');

const PAGES = [
  { to: '/cellars/$cellar', name: 'Overview' },
  { to: '/cellars/$cellar/data', name: 'Data' },
  { to: '/cellars/$cellar/keys', name: 'API Keys' },
  { to: '/cellars/$cellar/racks', name: 'Racks' },
  { to: '/cellars/$cellar/alerts', name: 'Alerts' },
  { to: '/cellars/$cellar/settings', name: 'Settings' },
  { to: '/cellars/$cellar/audit', name: 'Audit' },
] as const;

/** The cellar name, the top menu and the page below them. */
export function CellarFrame() {
  const { cellar } = route.useParams();
  const { data, error, refetch } = useQuery(cellarQuery(cellar));
  const isArchived = typeof data?.archivedAt === 'string';
  if (error !== null && data === undefined) {
    return <LoadProblem what={`cellar ${cellar}`} error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <Group gap="sm" mb="xs">
        <Title order={1} size="h2">
          {cellar}
        </Title>
        <Skeleton visible={data === undefined} w="auto">
          {isArchived && <Badge color="gray">Archived</Badge>}
        </Skeleton>
      </Group>
      <nav className={classes.menu} aria-label={`Cellar ${cellar}`}>
        {PAGES.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            params={{ cellar }}
            className={classes.page}
            activeOptions={{ exact: name === 'Overview', includeSearch: false }}
          >
            {name}
          </Link>
        ))}
      </nav>
      {isArchived && (
        <Alert color="gray" mb="lg" title="This cellar is archived">
          Its keys are revoked. It accepts no readings; its name can't be reused.
        </Alert>
      )}
      <Outlet />
    </>
  );
}
