import { MultiSelect, NativeSelect, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cellarsQuery } from '../cellars/cellars-query.ts';
import type { AccessChoice } from './access-choice.ts';

export interface AccessFieldsProps {
  /** Describes the owner role, as in "full access". */
  owner: string;
  value: AccessChoice;
  onChange: (value: AccessChoice) => void;
}

const ROLES = ['owner', 'member', 'viewer'] as const;

/** The role and the cellars of a user or a service token. */
export function AccessFields({ owner, value, onChange }: AccessFieldsProps) {
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Role"
        value={value.role}
        onChange={(event) => {
          const role = ROLES.find((known) => known === event.currentTarget.value);
          if (role !== undefined) onChange({ ...value, role });
        }}
        data={[
          { value: 'viewer', label: 'Viewer – sees selected cellars, changes nothing' },
          { value: 'member', label: 'Member – selected cellars and their keys' },
          { value: 'owner', label: `Owner – ${owner}` },
        ]}
      />
      {value.role !== 'owner' && (
        <CellarsField value={value.cellars} onChange={(cellars) => onChange({ ...value, cellars })} />
      )}
    </Stack>
  );
}

/** Type to filter: there may be thousands. */
function CellarsField({ value, onChange }: { value: string[]; onChange: (cellars: string[]) => void }) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 150);
  const { data } = useQuery(cellarsQuery(search === '' ? {} : { search }));
  const names = new Set([...value, ...(data?.cellars ?? []).map(({ name }) => name)]);
  return (
    <MultiSelect
      label="Cellars"
      description={value.length === 0 ? 'Select at least one.' : undefined}
      placeholder={value.length === 0 ? 'Select cellars' : ''}
      searchable
      hidePickedOptions
      nothingFoundMessage="No matching cellars"
      data={[...names]}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}
