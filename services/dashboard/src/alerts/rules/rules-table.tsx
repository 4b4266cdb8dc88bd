import { Button, Group, Menu, Table, Text } from '@mantine/core';
import type { AlertDestination, AlertRule } from '../../api/resources.ts';
import { Status } from '../../display/status.tsx';
import { ListTable } from '../../display/tables/list-table.tsx';
import { RowActions } from '../../display/tables/row-actions.tsx';
import { Moment } from '../../display/time/moment.tsx';
import type { KegSettingsByName } from '../../kegs/keg-settings.ts';
import { describeCondition } from './describe-condition.ts';

/** By label: seconds. */
const MUTES: readonly [label: string, seconds: number][] = [
  ['Mute for 1 hour', 3_600],
  ['Mute for 8 hours', 8 * 3_600],
  ['Mute for 1 day', 86_400],
  ['Mute for 7 days', 7 * 86_400],
];

export interface RulesTableProps {
  rules: readonly AlertRule[] | undefined;
  destinations: readonly AlertDestination[];
  kegs: KegSettingsByName;
  isOwner: boolean;
  edit: (rule: AlertRule) => void;
  remove: (rule: AlertRule) => void;
  /** null ends the mute. */
  mute: (rule: AlertRule, seconds: number | null) => void;
}

export function RulesTable({ rules, isOwner, ...props }: RulesTableProps) {
  return (
    <ListTable
      label="Alert rules"
      expectedRows={2}
      columns={['Rule', 'State', 'Notifies', 'Evaluated']}
      hasActions={isOwner}
      rows={rules?.map((rule) => (
        <RuleRow key={rule.id} rule={rule} isOwner={isOwner} {...props} />
      ))}
    />
  );
}

function RuleRow({
  rule,
  destinations,
  kegs,
  isOwner,
  ...props
}: Omit<RulesTableProps, 'rules'> & { rule: AlertRule }) {
  const names = destinations.filter(({ id }) => rule.destinations.includes(id)).map(({ name }) => name);
  return (
    <Table.Tr>
      <Table.Td>
        <Text span inherit fw={600}>
          {rule.name}
        </Text>
        <Text size="xs" c="dimmed">
          {describeCondition(rule.condition, kegs)}
        </Text>
      </Table.Td>
      <Table.Td data-label="State">
        <div>
          <RuleState rule={rule} />
          {rule.problem !== null && (
            <Text size="xs" c="var(--mantine-color-error)">
              Not evaluated: {rule.problem}
            </Text>
          )}
          {rule.isTruncated && (
            <Text size="xs" c="dimmed">
              Too many racks match: only some have alerts.
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td data-label="Notifies">{names.length === 0 ? 'Dashboard only' : names.join(', ')}</Table.Td>
      <Table.Td data-label="Evaluated">
        <Moment at={rule.evaluatedAt} otherwise="Not yet" />
      </Table.Td>
      {isOwner && (
        <Table.Td>
          <RuleActions rule={rule} {...props} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function RuleState({ rule: { isEnabled, firing, pending, mutedUntil } }: { rule: AlertRule }) {
  if (!isEnabled) return <Status kind="idle">Disabled</Status>;
  return (
    <Group gap={6}>
      {firing > 0 && <Status kind="bad">{`${firing} firing`}</Status>}
      {pending > 0 && <Status kind="warn">{`${pending} pending`}</Status>}
      {firing === 0 && pending === 0 && <Status kind="ok">OK</Status>}
      {mutedUntil !== null && (
        <Text span size="xs" c="dimmed">
          Muted, ends <Moment at={mutedUntil} />
        </Text>
      )}
    </Group>
  );
}

function RuleActions({
  rule,
  edit,
  mute,
  remove,
}: Pick<RulesTableProps, 'edit' | 'mute' | 'remove'> & { rule: AlertRule }) {
  return (
    <RowActions>
      <Button size="xs" variant="default" aria-label={`Edit ${rule.name}`} onClick={() => edit(rule)}>
        Edit
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="subtle" aria-label={`More actions for ${rule.name}`}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rule.mutedUntil === null ? (
            MUTES.map(([label, seconds]) => (
              <Menu.Item key={label} onClick={() => mute(rule, seconds)}>
                {label}
              </Menu.Item>
            ))
          ) : (
            <Menu.Item onClick={() => mute(rule, null)}>End mute</Menu.Item>
          )}
          <Menu.Item onClick={() => remove(rule)}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </RowActions>
  );
}
