import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AlertDestination, AlertRule } from '../../api/resources.ts';
import { api } from '../../api/api.ts';
import { FormDialog } from '../../display/dialogs/dialogs.tsx';
import { NameField } from '../../display/name-field.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { bodyOf, formOf, isComplete, newForm } from './rule-form.ts';
import type { RuleForm } from './rule-form.ts';

export interface RuleDialogProps {
  cellar: string;
  /** Undefined: a new one. */
  rule: AlertRule | undefined;
  destinations: readonly AlertDestination[];
  close: () => void;
  finish: (done: string) => void;
}

/** Creates a rule, or changes one. */
export function RuleDialog({ cellar, rule, destinations, close, finish }: RuleDialogProps) {
  const [form, setForm] = useState(() =>
    rule === undefined ? newForm(destinations.map(({ id }) => id)) : formOf(rule),
  );
  const change = (fields: Partial<RuleForm>): void => setForm((before) => ({ ...before, ...fields }));

  const save = async (): Promise<void> => {
    const body = bodyOf(form);
    const path = { cellar };
    if (rule === undefined)
      await api.post('/api/v1/cellars/{cellar}/alert-rules', { params: { path }, body });
    else {
      const params = { path: { cellar, id: rule.id } };
      await api.put('/api/v1/cellars/{cellar}/alert-rules/{id}', { params, body });
    }
    finish(`Rule “${form.name}” ${rule === undefined ? 'created' : 'saved'}.`);
  };

  return (
    <FormDialog
      title={rule === undefined ? 'Create alert rule' : `Edit “${rule.name}”`}
      submit={rule === undefined ? 'Create rule' : 'Save'}
      what={rule === undefined ? 'create the rule' : 'save the rule'}
      work={save}
      close={close}
      isReady={isComplete(form)}
    >
      <NameField withAsterisk={false} value={form.name} onChange={(name) => change({ name })} />
      <ConditionFields cellar={cellar} form={form} change={change} />
      <DestinationFields
        destinations={destinations}
        chosen={form.destinations}
        choose={(chosen) => change({ destinations: chosen })}
      />
      {rule !== undefined && (
        <Checkbox
          label="Enabled"
          checked={form.isEnabled}
          onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}

function DestinationFields(props: {
  destinations: readonly AlertDestination[];
  chosen: readonly string[];
  choose: (chosen: string[]) => void;
}) {
  const { destinations, chosen, choose } = props;
  if (destinations.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        This cellar has no destinations: the alert is shown in the dashboard only.
      </Text>
    );
  }
  return (
    <Checkbox.Group label="Notify" value={[...chosen]} onChange={choose}>
      <Stack gap="xs" mt={4}>
        {destinations.map(({ id, name, target }) => (
          <Checkbox key={id} value={id} label={`${name} (${target})`} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
