import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../api/api.ts';
import type { Cellar } from '../api/resources.ts';
import { onSubmit, useAction } from '../api/use-action.ts';
import { Section } from '../display/blocks.tsx';
import { Problem } from '../display/problems/load-problem.tsx';
import type { SettingProps } from './setting-props.ts';

export interface SettingFormProps extends SettingProps {
  title: string;
  about: string;
  /** Of the setting, such as `Keg rule`. */
  name: string;
  /** The setting as it is in the form. */
  change: Partial<Pick<Cellar, 'rateLimit' | 'lineProtocolKeg'>>;
  /** Whether it cannot be saved: it is unchanged or invalid. */
  disabled: boolean;
  /** The fields. */
  children: ReactNode;
}

/** A section with one setting that ingest applies within a second. */
export function SettingForm(props: SettingFormProps) {
  const { cellar, finish, title, about, name, change, disabled, children } = props;
  const what = name.toLowerCase();
  const save = useAction(async () => {
    await api.patch('/api/v1/cellars/{cellar}', { params: { path: { cellar: cellar.name } }, body: change });
    finish(`${name} updated. It applies within a second.`);
  });
  return (
    <Section order={3} title={title} about={about}>
      <form onSubmit={onSubmit(save.run)}>
        <Stack>
          <Problem error={save.error} what={`change the ${what}`} />
          {children}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={disabled}>
              {`Change ${what}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
