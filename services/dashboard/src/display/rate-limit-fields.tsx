import { Group, NativeSelect, NumberInput, Stack } from '@mantine/core';
import type { RateLimit } from '../api/resources.ts';

export interface RateLimitChoice {
  isOwn: boolean;
  perSecond: number | string;
  burst: number | string;
}

/** Of ingest, unless RATE_LIMIT_PER_SECOND and RATE_LIMIT_BURST say otherwise there. */
const DEFAULT: RateLimit = { perSecond: 1_000, burst: 10_000 };
export const SERVICE_DEFAULT = 'Service default, 1,000/s unless configured otherwise';
export const SAME_RATE_LIMIT: RateLimitChoice = { isOwn: false, ...DEFAULT };

export function rateLimitChoice(rateLimit: RateLimit | null): RateLimitChoice {
  return rateLimit === null ? SAME_RATE_LIMIT : { isOwn: true, ...rateLimit };
}

export function chosenRateLimit({ isOwn, perSecond, burst }: RateLimitChoice): RateLimit | null {
  return isOwn ? { perSecond: Number(perSecond), burst: Number(burst) } : null;
}

export interface RateLimitFieldsProps {
  label: string;
  /** Label of the default. */
  same: string;
  /** The highest allowed rate limit. */
  most?: RateLimit | null;
  value: RateLimitChoice;
  onChange: (value: RateLimitChoice) => void;
}

const HIGHEST: RateLimit = { perSecond: 1_000_000, burst: 10_000_000 };

export function RateLimitFields({ label, same, most, value, onChange }: RateLimitFieldsProps) {
  const { perSecond: maxPerSecond, burst: maxBurst } = most ?? HIGHEST;
  return (
    <Stack gap="xs">
      <NativeSelect
        label={label}
        value={value.isOwn ? 'own' : 'same'}
        onChange={(event) => onChange({ ...value, isOwn: event.currentTarget.value === 'own' })}
        data={[
          { value: 'same', label: same },
          { value: 'own', label: 'Custom' },
        ]}
      />
      {value.isOwn && (
        <Group grow align="flex-start">
          <NumberInput
            label="Readings per second"
            required
            min={0.001}
            max={maxPerSecond}
            thousandSeparator
            value={value.perSecond}
            onChange={(perSecond) => onChange({ ...value, perSecond })}
          />
          <NumberInput
            label="Burst"
            required
            min={1}
            max={maxBurst}
            allowDecimal={false}
            thousandSeparator
            value={value.burst}
            onChange={(burst) => onChange({ ...value, burst })}
          />
        </Group>
      )}
    </Stack>
  );
}
