import { Group, Text } from '@mantine/core';
import type { AlertDestination, AlertRule } from '../../api/resources.ts';
import { Status } from '../../display/status.tsx';
import { ListTable } from '../../display/tables/list-table.tsx';
import type { Column } from '../../display/tables/list-table.tsx';
import { RowActions } from '../../display/tables/row-actions.tsx';
import { SmallPrint, Strong, Trouble } from '../../display/text.tsx';
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

export function RulesTable(props: RulesTableProps) {
  const { rules, destinations, kegs, isOwner, edit, remove, mute } = props;
  const columns: Column<AlertRule>[] = [
    {
      name: 'Rule',
      isTitle: true,
      cell: ({ name, condition }) => (
        <>
          <Strong>{name}</Strong>
          <SmallPrint>{describeCondition(condition, kegs)}</SmallPrint>
        </>
      ),
    },
    { name: 'State', cell: (rule) => <RuleState rule={rule} /> },
    {
      name: 'Notifies',
      cell: (rule) => {
        const notified = destinations.filter(({ id }) => rule.destinations.includes(id));
        return notified.map(({ name }) => name).join(', ') || 'Dashboard only';
      },
    },
    { name: 'Evaluated', cell: ({ evaluatedAt }) => <Moment at={evaluatedAt} otherwise="Not yet" /> },
  ];
  const muteActions = (rule: AlertRule) =>
    rule.mutedUntil === null
      ? MUTES.map(([label, seconds]) => ({ label, run: () => mute(rule, seconds) }))
      : [{ label: 'End mute', run: () => mute(rule, null) }];
  return (
    <ListTable
      label="Alert rules"
      expectedRows={2}
      columns={columns}
      rows={rules}
      keyOf={({ id }) => id}
      actions={
        isOwner &&
        ((rule) => (
          <RowActions
            of={rule.name}
            actions={[
              { label: 'Edit', run: () => edit(rule) },
              ...muteActions(rule),
              { label: 'Delete', run: () => remove(rule) },
            ]}
          />
        ))
      }
    />
  );
}

function RuleState({ rule }: { rule: AlertRule }) {
  const { isEnabled, firing, pending, mutedUntil, problem, isTruncated } = rule;
  return (
    <div>
      {isEnabled ? (
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
      ) : (
        <Status kind="idle">Disabled</Status>
      )}
      {problem !== null && <Trouble>Not evaluated: {problem}</Trouble>}
      {isTruncated && <SmallPrint>Too many racks match: only some have alerts.</SmallPrint>}
    </div>
  );
}
