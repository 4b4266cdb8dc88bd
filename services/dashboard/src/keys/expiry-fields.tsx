import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { describeUtc } from '../display/time/describe-time.ts';
import { EXPIRY_PRESETS, presetsWithin, toLocalField } from './expiry-choice.ts';
import type { ExpiryChoice } from './expiry-choice.ts';

export interface ExpiryFieldsProps {
  label: string;
  value: ExpiryChoice;
  onChange: (value: ExpiryChoice) => void;
  /** The latest expiry in days from now. null: no limit. */
  maxDays?: number | null;
}

export function ExpiryFields({ label, value, onChange, maxDays = null }: ExpiryFieldsProps) {
  const [earliest] = useState(() => toLocalField(new Date()));
  const chosen = new Date(value.date);
  return (
    <Stack gap="xs">
      <NativeSelect
        label={label}
        data={presetsWithin(maxDays)}
        value={value.preset}
        onChange={(event) => {
          const preset = EXPIRY_PRESETS.find((known) => known.value === event.currentTarget.value);
          if (preset !== undefined) onChange({ ...value, preset: preset.value });
        }}
      />
      {value.preset === 'date' && (
        <TextInput
          label="Date and time"
          description={Number.isNaN(chosen.getTime()) ? 'In your time zone' : describeUtc(chosen)}
          type="datetime-local"
          required
          min={earliest}
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
