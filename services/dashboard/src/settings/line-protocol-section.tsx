import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { SettingForm } from './setting-form.tsx';
import type { SettingProps } from './setting-props.ts';

/** Enough to see what is missing; key-service checks the rest. */
const FIELD = '{field}';

export function LineProtocolSection(props: SettingProps) {
  const { lineProtocolKeg } = props.cellar;
  const [rule, setRule] = useState(lineProtocolKeg);
  const isComplete = rule.includes(FIELD);
  return (
    <SettingForm
      {...props}
      title="InfluxDB line protocol"
      about="The keg of each field. A new rule begins new kegs; stored readings keep theirs."
      name="Keg rule"
      change={{ lineProtocolKeg: rule }}
      disabled={rule === lineProtocolKeg || !isComplete}
    >
      <TextInput
        label="Keg rule"
        description="Placeholders: {measurement}, {field}, {tag:NAME} for one tag, {tags} for all others."
        required
        withAsterisk={false}
        maxLength={256}
        value={rule}
        onChange={(event) => setRule(event.currentTarget.value)}
        error={rule !== '' && !isComplete && `The rule must contain ${FIELD}`}
      />
    </SettingForm>
  );
}
