import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { cellarsQuery } from '../cellars/cellars-query.ts';

/** Type to filter, Enter to open. */
export function CellarSwitcher({ cellar }: { cellar: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(cellar);
  const [search] = useDebouncedValue(typed === cellar ? '' : typed, 150);
  const { data } = useQuery({
    ...cellarsQuery(search === '' ? {} : { search }),
    placeholderData: keepPreviousData,
  });
  const names = new Set([cellar, ...(data?.cellars ?? []).map(({ name }) => name)]);

  return (
    <Select
      aria-label="Cellar"
      size="xs"
      w={{ base: 140, sm: 220 }}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No matching cellars"
      data={[...names]}
      value={cellar}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(name) => {
        if (name !== null) void navigate({ to: '/cellars/$cellar', params: { cellar: name } });
      }}
    />
  );
}
