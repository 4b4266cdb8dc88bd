import { NativeSelect } from '@mantine/core';

const OVERLAPS = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '604800', label: 'In 1 week' },
  { value: '2592000', label: 'In 30 days' },
];
export const DAY_SECONDS = 86_400;

export interface OverlapSelectProps {
  label: string;
  seconds: number;
  onChange: (seconds: number) => void;
}

/** How long a rotated key keeps working. */
export function OverlapSelect({ label, seconds, onChange }: OverlapSelectProps) {
  return (
    <NativeSelect
      label={label}
      description="If the old key expires earlier, that still applies."
      data={OVERLAPS}
      value={String(seconds)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
