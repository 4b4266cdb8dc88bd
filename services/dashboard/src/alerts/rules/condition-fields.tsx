import { Autocomplete, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { withUnit } from '../../kegs/describe-value.ts';
import { useKegSettings, kegsQuery } from '../../kegs/keg-settings.ts';
import { listKegs } from '../../kegs/list-kegs.ts';
import { KINDS } from './rule-form.ts';
import type { Kind, RuleForm } from './rule-form.ts';

export interface ConditionFieldsProps {
  cellar: string;
  form: RuleForm;
  change: (fields: Partial<RuleForm>) => void;
}

/** The kind of a rule and the settings of that kind. */
export function ConditionFields({ cellar, form, change }: ConditionFieldsProps) {
  return (
    <>
      <NativeSelect
        label="Condition"
        data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
        value={form.kind}
        onChange={(event) => change({ kind: event.currentTarget.value as Kind })}
      />
      {KINDS[form.kind].hasRacks && <RackFields form={form} change={change} />}
      {form.kind === 'keg_value' && <KegField cellar={cellar} form={form} change={change} />}
      <NumberFields cellar={cellar} form={form} change={change} />
    </>
  );
}

function KegField({ cellar, form, change }: ConditionFieldsProps) {
  const settings = useKegSettings(cellar);
  const { data: sent } = useQuery(kegsQuery(cellar));
  return (
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
  );
}

function NumberFields({ cellar, form, change }: ConditionFieldsProps) {
  const unit = useKegSettings(cellar).get(form.keg)?.unit ?? null;
  const { numbers } = form;
  return (
    <Group align="flex-end" grow>
      {KINDS[form.kind].numbers.map(
        ({ name, isLimit = false, isWhole = true, unit: _unit, preset: _preset, ...props }) => (
          <NumberInput
            key={name}
            required={!isLimit}
            withAsterisk={false}
            allowDecimal={!isWhole}
            suffix={isLimit ? withUnit('', unit) : ''}
            value={numbers[name] ?? ''}
            onChange={(value) => change({ numbers: { ...numbers, [name]: value } })}
            {...props}
          />
        ),
      )}
    </Group>
  );
}

function RackFields({ form, change }: Omit<ConditionFieldsProps, 'cellar'>) {
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
