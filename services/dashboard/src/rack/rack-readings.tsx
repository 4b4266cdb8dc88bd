import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Part } from '../display/blocks.tsx';
import type { KegSettingsByName } from '../kegs/keg-settings.ts';
import { DATA_RANGES, fixedRange } from '../range/ranges.ts';
import type { RackName } from './rack-queries.ts';
import { RACK_RANGE } from './rack-search.ts';
import type { RackSearch } from './rack-search.ts';
import { ReadingsTable } from './readings-table.tsx';

export interface RackReadingsProps extends RackName {
  kegs: readonly string[];
  settings: KegSettingsByName;
  search: RackSearch;
  choose: (keg: string) => void;
}

/** The stored readings of a keg in the range of the charts. */
export function RackReadings({ cellar, rack, kegs, settings, search, choose }: RackReadingsProps) {
  const keg = kegs.find((name) => name === search.keg) ?? kegs[0];
  const { range = RACK_RANGE, zone } = search;
  const fixed = fixedRange(search);
  // Its end moves on with new readings, its start stays: otherwise each refresh would lose the pages that are loaded.
  const [now] = useState(() => Date.now());
  if (keg === undefined) return null;
  return (
    <Part
      title="Readings"
      action={
        <NativeSelect
          aria-label="Keg of the readings"
          value={keg}
          data={[...kegs]}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      }
    >
      <ReadingsTable
        key={JSON.stringify([keg, range, fixed])}
        {...{ cellar, rack, keg, zone }}
        from={fixed?.from ?? now - DATA_RANGES[range].length}
        to={fixed?.to}
        settings={settings.get(keg)}
      />
    </Part>
  );
}
