import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import type { AlertRule } from '../../api/resources.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../display/dialogs/dialogs.tsx';
import { EmptyState, Part } from '../../display/blocks.tsx';
import { LoadProblem, Problem } from '../../display/problems/load-problem.tsx';
import { useKegSettings } from '../../kegs/keg-settings.ts';
import { alertDestinationsQuery, alertRulesQuery } from '../alerts-queries.ts';
import type { SectionProps } from '../section-props.ts';
import { describeSeconds } from './describe-condition.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { RulesTable } from './rules-table.tsx';

type Open = { dialog: 'edit'; rule: AlertRule | undefined } | { dialog: 'delete'; rule: AlertRule };

export function RulesSection({ cellar, isOwner, finish }: SectionProps) {
  const [open, setOpen] = useState<Open>();
  const { data, error, refetch } = useQuery(alertRulesQuery(cellar));
  const { data: known } = useQuery(alertDestinationsQuery(cellar));
  const destinations = known?.destinations ?? [];
  const kegs = useKegSettings(cellar);

  const close = (): void => setOpen(undefined);
  const closeAndFinish = (done: string): void => {
    close();
    finish(done);
  };
  const muting = useAction(async (rule: AlertRule, seconds: number | null) => {
    await api.post('/api/v1/cellars/{cellar}/alert-rules/{id}/mute', {
      params: { path: { cellar, id: rule.id } },
      body: { seconds },
    });
    finish(
      seconds === null
        ? `“${rule.name}” unmuted.`
        : `“${rule.name}” sends no notifications for ${describeSeconds(seconds)}.`,
    );
  });
  const remove = async (rule: AlertRule): Promise<void> => {
    await api.delete('/api/v1/cellars/{cellar}/alert-rules/{id}', {
      params: { path: { cellar, id: rule.id } },
    });
    closeAndFinish(`Rule “${rule.name}” deleted.`);
  };
  const create = known !== undefined && isOwner && (
    <Button onClick={() => setOpen({ dialog: 'edit', rule: undefined })}>Create rule</Button>
  );

  return (
    <Part title="Rules" action={data !== undefined && data.rules.length > 0 && create}>
      <Problem error={muting.error} what="mute the rule" />
      {error !== null && data === undefined ? (
        <LoadProblem what="the alert rules" error={error} retry={() => void refetch()} />
      ) : data?.rules.length === 0 ? (
        <EmptyState title="No alert rules" action={create}>
          A rule notifies you when a rack goes silent, a value leaves its limits, readings are rejected or an
          API key expires.
        </EmptyState>
      ) : (
        <RulesTable
          rules={data?.rules}
          destinations={destinations}
          kegs={kegs}
          isOwner={isOwner}
          edit={(rule) => setOpen({ dialog: 'edit', rule })}
          remove={(rule) => setOpen({ dialog: 'delete', rule })}
          mute={(rule, seconds) => void muting.run(rule, seconds)}
        />
      )}
      {open?.dialog === 'edit' && (
        <RuleDialog
          cellar={cellar}
          rule={open.rule}
          destinations={destinations}
          close={close}
          finish={closeAndFinish}
        />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete rule “${open.rule.name}”?`}
          submit="Delete rule"
          what="delete the rule"
          work={() => remove(open.rule)}
          close={close}
        >
          <Text>Its firing alerts are resolved. The history is kept.</Text>
        </ConfirmDialog>
      )}
    </Part>
  );
}
