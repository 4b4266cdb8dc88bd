import { Box, Button, Container, Group, Kbd, Text } from '@mantine/core';
import { api } from '../api/api.ts';
import { IconSearch, ICON } from '../display/theme/icons.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { FiringCount } from '../alerts/firing-count.tsx';
import { Problem } from '../display/problems/load-problem.tsx';
import icon from '../icon.svg';
import { PipelineChip } from '../pipeline/pipeline-chip.tsx';
import { sessionQuery } from '../session/session-query.ts';
import { CellarSwitcher } from './cellar-switcher.tsx';
import { LastUpdated, NotRefreshed, Offline } from './notices.tsx';
import { useLoadedPages } from './use-loaded-pages.ts';
import { UserMenu } from './user-menu.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import classes from './app-frame.module.css';

const CommandPalette = lazy(() => import('./shortcuts/command-palette.tsx'));
const ShortcutsDialog = lazy(() => import('./shortcuts/shortcuts-dialog.tsx'));

/** The top bar and the page below it. */
export function AppFrame() {
  const { cellar } = useParams({ strict: false });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'shortcuts'>();
  const close = (): void => setOpen(undefined);
  useLoadedPages();
  useShortcuts({ cellar, open: setOpen });

  const signOut = useAction(async () => {
    await api.delete('/api/v1/session');
    await navigate({ to: '/sign-in' });
    queryClient.clear();
  });

  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.bar}>
        <Container className={classes.width}>
          <Group h={52} justify="space-between" wrap="nowrap" gap="sm">
            <Group gap={6} wrap="nowrap" miw={0}>
              <Link to="/" className={classes.name} aria-label="Cellarman">
                <img src={icon} width={24} height={24} alt="" />
                {/* On a phone, the cellar name needs the space. */}
                <Text span inherit {...(cellar === undefined ? {} : { visibleFrom: 'sm' })}>
                  Cellarman
                </Text>
              </Link>
              {cellar !== undefined && (
                <>
                  <span className={classes.slash} aria-hidden>
                    /
                  </span>
                  <CellarSwitcher cellar={cellar} />
                </>
              )}
            </Group>
            <Group gap="xs" wrap="nowrap">
              <Box visibleFrom="sm">
                <PipelineChip />
              </Box>
              <Box visibleFrom="sm">
                <FiringCount cellar={cellar} />
              </Box>
              <Button
                size="compact-md"
                variant="default"
                className={classes.search}
                title="Search and commands"
                aria-keyshortcuts="Control+K Meta+K"
                leftSection={<IconSearch {...ICON} />}
                rightSection={
                  <Kbd size="xs" aria-hidden>
                    ⌘K
                  </Kbd>
                }
                onClick={() => setOpen('palette')}
              >
                Search
              </Button>
              <UserMenu
                email={session.user.email}
                showShortcuts={() => setOpen('shortcuts')}
                signOut={() => void signOut.run()}
              />
            </Group>
          </Group>
        </Container>
      </header>
      <Container id="content" component="main" py="md" tabIndex={-1} className={classes.content}>
        {/* The home page has space for it. */}
        <Box hiddenFrom="sm" mb="sm" {...(cellar === undefined && { mih: 30 })}>
          <PipelineChip onlyProblems={cellar !== undefined} />
        </Box>
        <Box hiddenFrom="sm" mb="sm">
          <FiringCount cellar={cellar} />
        </Box>
        <Problem error={signOut.error} what="sign you out" />
        <Offline />
        <NotRefreshed />
        <Outlet />
        <LastUpdated />
      </Container>
      <Suspense>
        {open === 'palette' && <CommandPalette cellar={cellar} close={close} />}
        {open === 'shortcuts' && <ShortcutsDialog close={close} />}
      </Suspense>
    </>
  );
}
