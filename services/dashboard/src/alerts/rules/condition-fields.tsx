import { Autocomplete, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { withUnit } from '../../kegs/describe-value.ts';
import { useKegSettings, kegsQuery } from '../../kegs/keg-settings.ts';
import { listKegs } from '../../kegs/list-kegs.ts';
import { KINDS } from './describe-condition.ts';
import type { Kind, RuleForm } from './rule-form.ts';

export interface ConditionFieldsProps {
  cellar: string;
  form: RuleForm;
  change: (fields: Partial<RuleForm>) => void;
}

type NumberField = {
  [Name in keyof RuleForm]: RuleForm[Name] extends number | string
    ? number extends RuleForm[Name]
      ? Name
      : never
    : never;
}[keyof RuleForm];

interface NumberFieldProps {
  field: NumberField;
  label: string;
  description?: string;
  min?: number;
  max?: number;
  isOptional?: boolean;
  isWhole?: boolean;
  suffix?: string;
}

/** The kind of a rule and the settings of that kind. */
export function ConditionFields({ cellar, form, change }: ConditionFieldsProps) {
  return (
    <>
      <NativeSelect
        label="Condition"
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={form.kind}
        onChange={(event) => change({ kind: event.currentTarget.value as Kind })}
      />
      {(form.kind === 'rack_silent' || form.kind === 'keg_value') && (
        <RackFields cellar={cellar} form={form} change={change} />
      )}
      <KindFields cellar={cellar} form={form} change={change} />
    </>
  );
}

function KindFields({ cellar, form, change }: ConditionFieldsProps) {
  const settings = useKegSettings(cellar);
  const { data: sent } = useQuery({ ...kegsQuery(cellar), enabled: form.kind === 'keg_value' });
  const unit = settings.get(form.keg)?.unit ?? null;
  const limit = { isOptional: true, isWhole: false, suffix: withUnit('', unit) };
  const number = ({ field, isOptional = false, isWhole = true, ...props }: NumberFieldProps) => (
    <NumberInput
      key={field}
      flex={1}
      required={!isOptional}
      withAsterisk={false}
      allowDecimal={!isWhole}
      value={form[field]}
      onChange={(value) => change({ [field]: value })}
      {...props}
    />
  );
  switch (form.kind) {
    case 'rack_silent':
      return (
        <Group align="flex-end" grow>
          {number({ field: 'silentMinutes', label: 'Silent for more than (minutes)', min: 1, max: 43_200 })}
          {number({ field: 'forgetDays', label: 'Stop alerting after (days)', min: 1, max: 365 })}
        </Group>
      );
    case 'keg_value':
      return (
        <Stack gap="sm">
          <Autocomplete
            label="Keg"
            required
            withAsterisk={false}
            data={listKegs(sent, settings).map(({ keg }) => keg)}
            limit={8}
            openOnFocus={false}
            maxLength={256}
            value={form.keg}
            onChange={(keg) => change({ keg })}
          />
          <Group align="flex-end" grow>
            {number({ field: 'above', label: 'Above', ...limit })}
            {number({ field: 'below', label: 'Or below', ...limit })}
            {number({ field: 'holdMinutes', label: 'For (minutes)', min: 0, max: 10_080 })}
          </Group>
        </Stack>
      );
    case 'rejected_share':
      return (
        <Group align="flex-end" grow>
          {number({ field: 'percent', label: 'More than (%)', min: 0.01, max: 100, isWhole: false })}
          {number({ field: 'windowMinutes', label: 'Within (minutes)', min: 5, max: 1_440 })}
          {number({ field: 'minRejected', label: 'Minimum rejected readings', min: 1, max: 1_000_000 })}
        </Group>
      );
    case 'key_expires':
      return number({
        field: 'withinDays',
        label: 'Expires within (days)',
        description: 'Keys that were used in the last 7 days.',
        min: 1,
        max: 365,
      });
  }
}

function RackFields({ form, change }: ConditionFieldsProps) {
  return (
    <Group align="flex-end" grow>
      <NativeSelect
        label="Racks"
        data={[
          { value: 'all', label: 'Each rack' },
          { value: 'prefix', label: 'Racks starting with…' },
          { value: 'rack', label: 'One rack' },
        ]}
        value={form.racks}
        onChange={(event) => change({ racks: event.currentTarget.value as RuleForm['racks'] })}
      />
      {form.racks !== 'all' && (
        <TextInput
          label={form.racks === 'rack' ? 'Rack' : 'Name prefix'}
          required
          withAsterisk={false}
          autoComplete="off"
          maxLength={256}
          value={form.rack}
          onChange={(event) => change({ rack: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}
