import { Tabs } from '@mantine/core';
import { CopyField } from '../display/copy-field.tsx';
import { SNIPPETS } from './snippet-texts.ts';
import type { SnippetParams } from './snippet-texts.ts';

/** Examples that send a reading, ready to paste. */
export function Snippets(params: SnippetParams) {
  return (
    <Tabs defaultValue={SNIPPETS[0].name} keepMounted={false}>
      <Tabs.List aria-label="Send a reading with">
        {SNIPPETS.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ name, write }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <CopyField label={`Send a reading with ${name}`} text={write(params)} isBlock />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
