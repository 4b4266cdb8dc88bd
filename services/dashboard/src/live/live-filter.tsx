import { Group, NativeSelect, Pill } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { kegsQuery } from '../kegs/keg-settings.ts';
import type { LiveSearch } from './live-search.ts';

export interface LiveFilterFieldsProps {
  cellar: string;
  search: LiveSearch;
  show: (search: LiveSearch, options?: { replace: boolean }) => void;
}

export function LiveFilterFields({ cellar, search, show }: LiveFilterFieldsProps) {
  const { rack, racks, keg } = search;
  const kegs = useQuery(kegsQuery(cellar)).data ?? [];
  return (
    <Group>
      {rack === undefined ? (
        <SearchField
          label="Racks starting with"
          placeholder="Racks starting with"
          maxLength={256}
          value={racks}
          onSearch={(text) => show(present({ racks: text, keg }), { replace: true })}
        />
      ) : (
        <Pill
          size="lg"
          withRemoveButton
          removeButtonProps={{ 'aria-label': 'Show all racks', tabIndex: 0, 'aria-hidden': false }}
          onRemove={() => show(present({ keg }))}
        >
          Rack {rack}
        </Pill>
      )}
      <NativeSelect
        aria-label="Filter by keg"
        w={{ base: '100%', xs: 220 }}
        value={keg ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show(present({ rack, racks, keg: value === '' ? undefined : value }))
        }
        data={[
          { value: '', label: 'All kegs' },
          ...[...new Set([...kegs.map((sent) => sent.keg), ...(keg === undefined ? [] : [keg])])],
        ]}
      />
    </Group>
  );
}
