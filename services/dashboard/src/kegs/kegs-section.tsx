import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeExactly } from '../display/describe-number.ts';
import { ListTable } from '../display/tables/list-table.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { Strong } from '../display/text.tsx';
import { Section } from '../display/blocks.tsx';
import { describeGoodRange } from './describe-value.ts';
import { KegDialog } from './keg-dialog.tsx';
import { kegSettingsQuery, kegsQuery } from './keg-settings.ts';
import { listKegs } from './list-kegs.ts';
import type { ListedKeg } from './list-kegs.ts';

const PAGE_SIZE = 50;
const COLUMNS: Column<ListedKeg>[] = [
  { name: 'Keg', isTitle: true, cell: ({ keg }) => <Strong>{keg}</Strong> },
  {
    name: 'Racks',
    isNumber: true,
    cell: ({ racks }) => (racks === undefined ? 'Unknown' : describeExactly(racks)),
  },
  { name: 'Unit', cell: ({ settings }) => settings?.unit ?? '–' },
  { name: 'Decimals', isNumber: true, cell: ({ settings }) => settings?.decimals ?? '–' },
  { name: 'Good range', cell: ({ settings }) => describeGoodRange(settings) ?? '–' },
  { name: 'Description', cell: ({ settings }) => settings?.description ?? '–' },
];

export interface KegsSectionProps {
  cellar: string;
  /** False: the settings can only be viewed. */
  isEditable: boolean;
  /** Shows a notice and reloads the data. */
  finish: (done: string) => void;
}

/** The kegs of a cellar with their units, decimals and good ranges. */
export function KegsSection({ cellar, isEditable, finish }: KegsSectionProps) {
  const [edited, setEdited] = useState<ListedKeg>();
  const [shown, setShown] = useState(PAGE_SIZE);
  const sent = useQuery(kegsQuery(cellar));
  const settings = useQuery(kegSettingsQuery(cellar));
  // Without the query service, kegs with settings can still be edited.
  const isLoading = settings.data === undefined || (sent.data === undefined && sent.error === null);
  const kegs = isLoading ? undefined : listKegs(sent.data, settings.data);
  return (
    <Section
      order={3}
      title="Kegs"
      about="How values are shown in tables, charts and exports. Stored readings are not changed."
    >
      {settings.error !== null && settings.data === undefined ? (
        <LoadProblem what="the keg settings" error={settings.error} retry={() => void settings.refetch()} />
      ) : kegs?.length === 0 ? (
        <Text>No kegs yet. A keg appears here after its first reading.</Text>
      ) : (
        <ListTable
          label="Kegs"
          expectedRows={3}
          columns={COLUMNS}
          rows={kegs?.slice(0, shown)}
          keyOf={({ keg }) => keg}
          actions={
            isEditable &&
            ((each) => <RowActions of={each.keg} actions={[{ label: 'Edit', run: () => setEdited(each) }]} />)
          }
        />
      )}
      {kegs !== undefined && kegs.length > shown && (
        <Stack align="flex-start" gap="xs">
          <Text size="sm" c="dimmed">
            Showing {shown} of {describeExactly(kegs.length)} kegs.
          </Text>
          <Button size="xs" variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>
            Show more
          </Button>
        </Stack>
      )}
      {edited !== undefined && (
        <KegDialog
          cellar={cellar}
          keg={edited.keg}
          settings={edited.settings}
          close={() => setEdited(undefined)}
          finish={(done) => {
            setEdited(undefined);
            finish(done);
          }}
        />
      )}
    </Section>
  );
}
