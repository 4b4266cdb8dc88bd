import { Group, Kbd, Table } from '@mantine/core';
import { Dialog } from '../../display/dialogs/dialogs.tsx';
import { TABS } from '../tabs.ts';

const SHORTCUTS: readonly [keys: readonly string[], what: string][] = [
  [['⌘ K', 'Ctrl K'], 'Search and commands'],
  [['/'], 'Focus the search field of the page'],
  [['j', 'k'], 'Next, previous row'],
  [['Enter'], 'Open the focused row'],
  [['Esc'], 'Close a dialog'],
  [['g h'], 'All cellars'],
  ...TABS.map(({ key, name }): [string[], string] => [[`g ${key}`], name]),
  [['?'], 'This list'],
];

export default function ShortcutsDialog({ close }: { close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <Table aria-label="Keyboard shortcuts" verticalSpacing={6}>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td>{what}</Table.Td>
              <Table.Td>
                <Group gap={6} justify="flex-end">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
