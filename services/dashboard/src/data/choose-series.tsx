import { Button, Group, MultiSelect, Pill, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_SERIES, seriesColour } from '../charts/series-colours.ts';
import { MOST_RACKS_LISTED, racksWithKegQuery } from './data-queries.ts';
import type { Chosen } from './data-queries.ts';
import { findRackGroups } from './rack-groups.ts';
import classes from './data-page.module.css';

export interface ChooseSeriesProps extends Chosen {
  cellar: string;
  kegs: readonly string[];
  choose: (chosen: Partial<Chosen>) => void;
}

/** The keg, and the racks as chips in the colours of their lines. */
export function ChooseSeries({ cellar, kegs, keg, racks, choose }: ChooseSeriesProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 150);
  const found = useQuery(racksWithKegQuery(cellar, keg, search));
  const all = useQuery(racksWithKegQuery(cellar, keg, ''));
  const groups = findRackGroups(all.data ?? []);
  const listed = all.data?.length ?? 0;
  const others = listed - racks.length;
  const more = others > 0 ? ` (${others}${listed < MOST_RACKS_LISTED ? '' : '+'} more)` : '';
  return (
    <>
      <Group align="flex-start" gap="sm">
        <Select
          aria-label="Keg"
          title={keg}
          // As wide as a long name needs, up to half of the row.
          w={{ base: '100%', xs: `clamp(200px, ${keg.length + 6}ch, 50%)` }}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No kegs match"
          data={[...new Set([keg, ...kegs])]}
          value={keg}
          onChange={(next) => next !== null && choose({ keg: next })}
        />
        <MultiSelect
          aria-label="Racks"
          flex={1}
          miw={{ base: '100%', xs: 280 }}
          placeholder={racks.length < MOST_SERIES ? `Add rack${more}` : ''}
          searchable
          hidePickedOptions
          maxValues={MOST_SERIES}
          nothingFoundMessage="No racks match"
          data={[...new Set([...racks, ...(found.data ?? [])])]}
          // The service searches.
          filter={({ options }) => options}
          value={[...racks]}
          onChange={(next) => choose({ racks: next })}
          searchValue={typed}
          onSearchChange={setTyped}
          renderPill={({ option, onRemove }) => (
            <Pill
              withRemoveButton
              {...(onRemove !== undefined && { onRemove })}
              removeButtonProps={{ 'aria-label': `Remove ${option.label}` }}
            >
              <span
                className={classes.swatch}
                style={{ background: `var(${seriesColour(racks.indexOf(String(option.value)))})` }}
              />
              {option.label}
            </Pill>
          )}
        />
      </Group>
      {groups.length > 0 && (
        <Group gap="xs">
          {groups.map(({ prefix, racks: members }) => (
            <Button
              key={prefix}
              size="compact-sm"
              variant="default"
              onClick={() => choose({ racks: members.slice(0, MOST_SERIES) })}
            >
              {members.length > MOST_SERIES ? `First ${MOST_SERIES} of` : 'All'} {prefix}*
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
