import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import type { AuditSearch } from './audit-search.ts';
import { ACTIONS, CELLAR_ACTIONS, describeAction } from './describe-entry.ts';

export interface AuditFiltersProps {
  isGlobal: boolean;
  search: AuditSearch;
  show: (search: AuditSearch, options?: { replace: boolean }) => void;
}

/** By action, user, and days in the zone of the reader. */
export function AuditFilters({ isGlobal, search, show }: AuditFiltersProps) {
  const filter = present({ ...search, cursor: undefined });
  return (
    <>
      <NativeSelect
        aria-label="Filter by action"
        w={{ base: '100%', xs: 240 }}
        value={filter.action ?? ''}
        onChange={(event) => {
          const action = ACTIONS.find((known) => known === event.currentTarget.value);
          show(present({ ...filter, action }));
        }}
        data={[
          { value: '', label: 'All actions' },
          ...(isGlobal ? ACTIONS : CELLAR_ACTIONS).map((known) => ({
            value: known,
            label: describeAction({ action: known }),
          })),
        ]}
      />
      <SearchField
        label="Filter by user"
        placeholder="Filter by user"
        maxLength={254}
        value={filter.actor}
        onSearch={(actor) => show(present({ ...filter, actor }), { replace: true })}
      />
      <Group gap="xs" wrap="nowrap">
        <DayField
          label="From day"
          value={filter.from}
          max={filter.to}
          onChange={(from) => show(present({ ...filter, from }))}
        />
        <Text span c="dimmed" aria-hidden>
          –
        </Text>
        <DayField
          label="To day"
          value={filter.to}
          min={filter.from}
          onChange={(to) => show(present({ ...filter, to }))}
        />
      </Group>
    </>
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string | undefined) => void;
}

function DayField({ label, value = '', min, max, onChange }: DayFieldProps) {
  return (
    <TextInput
      aria-label={label}
      type="date"
      w={148}
      {...present({ min, max })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  );
}
