import { SegmentedControl } from '@mantine/core';
import { RANGE_NAMES, RANGES } from './ranges.ts';
import type { RangeName } from './ranges.ts';

export interface RangeControlProps {
  range: RangeName;
  /** Undefined: the default of the URL, the last hour. */
  choose: (range: RangeName | undefined) => void;
}

/** The last hour, day or week. */
export function RangeControl({ range, choose }: RangeControlProps) {
  return (
    <SegmentedControl
      aria-label="Time range"
      value={range}
      onChange={(value) => {
        const chosen = RANGE_NAMES.find((name) => name === value);
        choose(chosen === 'hour' ? undefined : chosen);
      }}
      data={RANGE_NAMES.map((name) => ({ value: name, label: RANGES[name].label }))}
    />
  );
}
