import { Button, Group, Popover, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ChartRange } from '../charts/chart-series.ts';
import { present } from '../display/read-search.ts';
import { LiveBadge } from '../live/live-badge.tsx';
import type { LiveStreamState } from '../live/use-live-stream.ts';
import type { RangeSearch } from './range-search.ts';
import { follows as isFollowing } from './range-search.ts';
import { atRange, DATA_RANGE_NAMES, DATA_RANGES, movedBy, widened } from './ranges.ts';
import type { DataRangeName } from './ranges.ts';

export interface TimeControlsProps {
  search: RangeSearch;
  /** The range that is not in the URL. */
  defaultRange: DataRangeName;
  /** The range on the screen. */
  shown: ChartRange;
  /** What the chart follows by. */
  stream: LiveStreamState;
  show: (search: RangeSearch) => void;
}

/** The range, its movement, the time zone, and whether the chart follows. */
export function TimeControls({ search, defaultRange, shown, stream, show }: TimeControlsProps) {
  const { range = defaultRange, from, zone } = search;
  const isFixed = from !== undefined;
  const follows = isFollowing(search);
  const goTo = (next: ChartRange) => show({ ...search, ...atRange(next) });
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Time range"
        value={isFixed ? '' : range}
        data={DATA_RANGE_NAMES.map((name) => ({ value: name, label: DATA_RANGES[name].label }))}
        onChange={(value) => {
          const chosen = DATA_RANGE_NAMES.find((name) => name === value);
          const next = chosen === defaultRange ? undefined : chosen;
          show(present({ ...search, range: next, from: undefined, to: undefined }));
        }}
      />
      <CustomRange key={`${shown.from} ${shown.to}`} shown={shown} zone={zone} goTo={goTo} />
      <Button.Group>
        <Button size="xs" variant="default" onClick={() => goTo(movedBy(-0.5, shown, Date.now()))}>
          Earlier
        </Button>
        <Button size="xs" variant="default" onClick={() => goTo(widened(shown, Date.now()))}>
          Zoom out
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!isFixed}
          onClick={() => goTo(movedBy(0.5, shown, Date.now()))}
        >
          Later
        </Button>
      </Button.Group>
      <SegmentedControl
        size="xs"
        aria-label="Time zone"
        value={zone ?? 'local'}
        data={[
          { value: 'local', label: 'Local' },
          { value: 'utc', label: 'UTC' },
        ]}
        onChange={(value) =>
          show(present({ ...search, zone: value === 'utc' ? ('utc' as const) : undefined }))
        }
      />
      <Button
        size="xs"
        variant={follows ? 'filled' : 'default'}
        aria-pressed={follows}
        onClick={() =>
          show(
            present({
              ...search,
              ...{ from: undefined, to: undefined, live: follows ? ('off' as const) : undefined },
            }),
          )
        }
      >
        Live
      </Button>
      {follows && stream.error !== undefined && <LiveBadge {...stream} />}
    </Group>
  );
}

interface CustomRangeProps {
  shown: ChartRange;
  zone: RangeSearch['zone'];
  goTo: (range: ChartRange) => void;
}

function CustomRange({ shown, zone, goTo }: CustomRangeProps) {
  const [opened, setOpened] = useState(false);
  const [from, setFrom] = useState(() => toField(shown.from, zone));
  const [to, setTo] = useState(() => toField(shown.to, zone));
  const chosen = { from: ofField(from, zone), to: ofField(to, zone) };
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" onClick={() => setOpened(!opened)}>
          Custom…
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Custom range">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setOpened(false);
            goTo(chosen);
          }}
        >
          <Stack gap="xs">
            <TextInput label="From" {...fieldProps(from, setFrom)} />
            <TextInput label="To" {...fieldProps(to, setTo)} />
            <Text size="xs" c="dimmed">
              {zone === 'utc' ? 'In UTC' : 'In your time zone'}
            </Text>
            <Button type="submit" size="xs" disabled={!(chosen.from < chosen.to)}>
              Show range
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function fieldProps(value: string, set: (value: string) => void) {
  return {
    type: 'datetime-local',
    step: 1,
    required: true,
    size: 'xs',
    value,
    onChange: (event: { currentTarget: HTMLInputElement }) => set(event.currentTarget.value),
  };
}

/** In the format of `datetime-local`. */
function toField(time: number, zone: RangeSearch['zone']): string {
  const offset = zone === 'utc' ? 0 : new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 19);
}

function ofField(field: string, zone: RangeSearch['zone']): number {
  return Date.parse(zone === 'utc' ? `${field}Z` : field);
}
