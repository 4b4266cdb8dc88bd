import { Autocomplete, Group, NumberInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/api.ts';
import type { KegSettings } from '../api/resources.ts';
import { FormDialog } from '../display/dialogs/dialogs.tsx';

/** Offered while typing; any other unit works as well. */
const UNITS = [
  '°C',
  '°F',
  '%',
  '% RH',
  'bar',
  'Pa',
  'hPa',
  'V',
  'A',
  'W',
  'kW',
  'kWh',
  'l',
  'l/min',
  'm³',
  'rpm',
  'pH',
  'ppm',
];

export interface KegDialogProps {
  cellar: string;
  keg: string;
  settings: KegSettings | undefined;
  close: () => void;
  /** Closes the dialog and shows a notice. */
  finish: (done: string) => void;
}

/** Edits the settings of a keg. Without any, the keg has no settings again. */
export function KegDialog({ cellar, keg, settings, close, finish }: KegDialogProps) {
  const [unit, setUnit] = useState(settings?.unit ?? '');
  const [decimals, setDecimals] = useState<number | string>(settings?.decimals ?? '');
  const [min, setMin] = useState<number | string>(settings?.goodRange.min ?? '');
  const [max, setMax] = useState<number | string>(settings?.goodRange.max ?? '');
  const [description, setDescription] = useState(settings?.description ?? '');

  const isReversed = numberOf(min) !== null && numberOf(max) !== null && Number(min) > Number(max);

  const save = async (): Promise<void> => {
    const params = { path: { cellar }, query: { keg } };
    const body = {
      unit: textOf(unit),
      decimals: numberOf(decimals),
      description: textOf(description),
      goodRange: { min: numberOf(min), max: numberOf(max) },
    };
    const { goodRange, ...others } = body;
    const hasNone = [...Object.values(others), ...Object.values(goodRange)].every((value) => value === null);
    if (hasNone) await api.delete('/api/v1/cellars/{cellar}/kegs', { params });
    else await api.put('/api/v1/cellars/{cellar}/kegs', { params, body });
    finish(hasNone ? `Settings of ${keg} removed.` : `Settings of ${keg} saved.`);
  };

  return (
    <FormDialog
      title={`Settings of ${keg}`}
      submit="Save"
      what="save the settings of the keg"
      work={save}
      close={close}
      isReady={!isReversed}
    >
      <Group grow align="flex-start">
        <Autocomplete
          label="Unit"
          placeholder="None"
          data={UNITS}
          limit={8}
          openOnFocus={false}
          maxLength={32}
          data-autofocus
          value={unit}
          onChange={setUnit}
        />
        <NumberInput
          label="Decimals"
          placeholder="As sent"
          min={0}
          max={9}
          allowDecimal={false}
          value={decimals}
          onChange={setDecimals}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          label="Good from"
          placeholder="No limit"
          error={isReversed && 'Must not be above "Good to"'}
          value={min}
          onChange={setMin}
        />
        <NumberInput label="Good to" placeholder="No limit" value={max} onChange={setMax} />
      </Group>
      <Textarea
        label="Description"
        description="What is measured, and where."
        maxLength={200}
        autosize
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value.replaceAll(/\s/g, ' '))}
      />
    </FormDialog>
  );
}

function textOf(typed: string): string | null {
  const text = typed.trim();
  return text === '' ? null : text;
}

/** A field that is empty, or has only a minus sign, has no number. */
function numberOf(typed: number | string): number | null {
  if (typed === '') return null;
  const number = Number(typed);
  return Number.isFinite(number) ? number : null;
}
