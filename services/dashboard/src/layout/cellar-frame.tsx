import { Alert, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { cellarQuery } from '../cellars/cellars-query.ts';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { TABS } from './tabs.ts';
import classes from './cellar-frame.module.css';

const route = getRouteApi('/signed-in/cellars/$cellar');

/** The cellar name, the top menu and the page below them. */
export function CellarFrame() {
  const { cellar } = route.useParams();
  const { data, error, refetch } = useQuery(cellarQuery(cellar));
  const isArchived = typeof data?.archivedAt === 'string';
  if (error !== null && data === undefined) {
    return <LoadProblem what={`cellar ${cellar}`} error={error} retry={() => void refetch()} isPage />;
  }
  return (
    <>
      {/* The switcher in the top bar shows it. */}
      <VisuallyHidden>
        <Title order={1}>{cellar}</Title>
      </VisuallyHidden>
      <nav className={classes.menu} aria-label={`Cellar ${cellar}`}>
        {TABS.map(({ to, name }) => (
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
