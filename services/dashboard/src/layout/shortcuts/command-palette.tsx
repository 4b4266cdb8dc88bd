import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import {
  IconArrowRight,
  IconCommand,
  IconKey,
  IconSearch,
  IconServer,
  ICON,
} from '../../display/theme/icons.ts';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { present } from '../../display/read-search.ts';
import { useReturnedFocus } from '../../display/dialogs/use-returned-focus.ts';
import { addressesQuery } from '../../keys/key-queries.ts';
import { useOwner } from '../../session/roles.tsx';
import { TABS } from '../tabs.ts';
import { useFound } from './use-found.ts';
import '@mantine/spotlight/styles.layer.css';

interface Command {
  label: string;
  description?: string;
  icon: ComponentType<typeof ICON>;
  run: () => unknown;
}

const [store, palette] = createSpotlight();
const MOST_COMMANDS = 12;

export interface CommandPaletteProps {
  /** Undefined: the page belongs to no cellar. */
  cellar: string | undefined;
  close: () => void;
}

/** Finds cellars, racks, API keys and pages by a part of their name, and has the actions of every page. */
export default function CommandPalette({ cellar, close }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const [search] = useDebouncedValue(query.trim(), 150);
  const found = useFound(search, cellar);
  const fixed = useFixedCommands(cellar);
  const navigate = useNavigate();
  useReturnedFocus();
  useEffect(() => {
    palette.open();
    return () => palette.close();
  }, []);

  const commands: Command[] = [
    ...fixed.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase())),
    ...found.cellars.map((name) => ({
      label: name,
      description: 'Cellar',
      icon: IconArrowRight,
      run: () => navigate({ to: '/cellars/$cellar', params: { cellar: name } }),
    })),
    ...found.racks.map((params) => ({
      label: params.rack,
      description: cellar === undefined ? `Rack of ${params.cellar}` : 'Rack',
      icon: IconServer,
      run: () => navigate({ to: '/cellars/$cellar/racks/$rack', params }),
    })),
    ...found.keys.map(({ name, displayPrefix }) => ({
      label: name,
      description: `API key ${displayPrefix}…`,
      icon: IconKey,
      run: () =>
        navigate({
          to: '/cellars/$cellar/keys',
          params: { cellar: cellar ?? '' },
          search: { search: displayPrefix },
        }),
    })),
  ];

  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={close}
      scrollable
    >
      <Spotlight.Search
        aria-label="Search cellars, racks, keys and commands"
        placeholder="Search cellars, racks, keys and commands"
        leftSection={<IconSearch {...ICON} />}
      />
      <Spotlight.ActionsList>
        {commands.slice(0, MOST_COMMANDS).map(({ label, description, icon: Icon, run }) => (
          <Spotlight.Action
            key={`${description ?? ''} ${label}`}
            label={label}
            {...present({ description })}
            leftSection={<Icon {...ICON} />}
            onClick={() => void run()}
          />
        ))}
        {commands.length === 0 && (
          <Spotlight.Empty>
            Nothing found{cellar === undefined && '. Open a cellar to search all of its racks and keys'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useFixedCommands(cellar: string | undefined): Command[] {
  const navigate = useNavigate();
  const isOwner = useOwner();
  const { data: addresses } = useQuery(addressesQuery);
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const ingestUrl = addresses?.ingestUrl ?? window.location.origin;
  const tabs = cellar === undefined ? [] : TABS;
  const pages = [
    { to: '/', name: 'All cellars' },
    { to: '/account', name: 'Your account' },
    ...(isOwner
      ? ([
          { to: '/pipeline', name: 'Pipeline' },
          { to: '/dead-letters', name: 'Dead letters' },
          { to: '/people', name: 'Users' },
          { to: '/tokens', name: 'Service tokens' },
          { to: '/audit', name: 'Audit log' },
        ] as const)
      : []),
  ] as const;
  return [
    ...tabs.map(({ to, name }) => ({
      label: name,
      icon: IconArrowRight,
      run: () => navigate({ to, params: { cellar: cellar ?? '' } }),
    })),
    ...pages.map(({ to, name }) => ({ label: name, icon: IconArrowRight, run: () => navigate({ to }) })),
    ...(cellar === undefined
      ? []
      : [
          {
            label: 'Follow a reading',
            description: 'Send a test reading',
            icon: IconArrowRight,
            run: () => navigate({ to: '/cellars/$cellar/follow', params: { cellar } }),
          },
        ]),
    {
      label: 'Copy ingest URL',
      description: ingestUrl,
      icon: IconCommand,
      run: () => navigator.clipboard.writeText(ingestUrl),
    },
    {
      label: other === 'dark' ? 'Dark theme' : 'Light theme',
      icon: IconCommand,
      run: () => setColorScheme(other),
    },
  ];
}
