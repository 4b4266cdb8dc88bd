import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { cellarsQuery } from '../cellars/cellars-query.ts';
import { tabOf } from './tabs.ts';
import classes from './app-frame.module.css';

/** Type to filter, Enter to open the same page of another cellar. */
export function CellarSwitcher({ cellar }: { cellar: string }) {
  const navigate = useNavigate();
  const tab = useLocation({ select: ({ pathname }) => tabOf(pathname) });
  const [typed, setTyped] = useState(cellar);
  const [search] = useDebouncedValue(typed === cellar ? '' : typed, 150);
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    ...cellarsQuery(search === '' ? {} : { search }),
    enabled: isOpen,
  });
  const names = new Set([cellar, ...(data?.cellars ?? []).map(({ name }) => name)]);

  return (
    <Select
      aria-label="Cellar"
      size="xs"
      w={{ base: 140, sm: 220 }}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      classNames={{ input: classes.cellar }}
      title={cellar}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No matching cellars"
      data={[...names]}
      value={cellar}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(name) => {
        if (name !== null) void navigate({ to: tab, params: { cellar: name } });
      }}
    />
  );
}
