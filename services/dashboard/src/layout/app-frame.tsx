import { Box, Button, Container, Group, Text } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import { useAction } from '../api/use-action.ts';
import { FiringCount } from '../alerts/firing-count.tsx';
import { Problem } from '../display/problems/problem.tsx';
import icon from '../icon.svg';
import { PipelineChip } from '../pipeline/pipeline-chip.tsx';
import { sessionQuery } from '../session/session-query.ts';
import { CellarSwitcher } from './cellar-switcher.tsx';
import { Offline } from './offline.tsx';
import { UserMenu } from './user-menu.tsx';
import classes from './app-frame.module.css';

/** The top bar and the page below it. */
export function AppFrame() {
  const { cellar } = useParams({ strict: false });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  const signOut = useAction(async () => {
    await responseData(keyService.DELETE('/api/v1/session'));
    await navigate({ to: '/sign-in' });
    queryClient.clear();
  });

  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.bar}>
        <Container size="lg">
          <Group h={56} justify="space-between" wrap="nowrap">
            <Group gap="md" wrap="nowrap" miw={0}>
              <Link to="/" className={classes.name} aria-label="Cellarman">
                <img src={icon} width={24} height={24} alt="" />
                {/* On a phone, the cellar name needs the space. */}
                <Text span inherit {...(cellar === undefined ? {} : { visibleFrom: 'sm' })}>
                  Cellarman
                </Text>
              </Link>
              {cellar !== undefined && <CellarSwitcher cellar={cellar} />}
            </Group>
            <Group gap="xs" wrap="nowrap">
              <Box visibleFrom="sm">
                <PipelineChip />
              </Box>
              <Box visibleFrom="sm">
                <FiringCount cellar={cellar} />
              </Box>
              <UserMenu email={session.user.email} />
              <Button
                size="xs"
                variant="default"
                loading={signOut.isPending}
                onClick={() => void signOut.run()}
              >
                Sign out
              </Button>
            </Group>
          </Group>
        </Container>
      </header>
      <Offline />
      <Container id="content" component="main" size="lg" py="lg" tabIndex={-1} className={classes.content}>
        <Box hiddenFrom="sm" mb="sm">
          <PipelineChip onlyProblems />
        </Box>
        <Box hiddenFrom="sm" mb="sm">
          <FiringCount cellar={cellar} />
        </Box>
        <Problem error={signOut.error} what="sign you out" />
        <Outlet />
      </Container>
    </>
  );
}
