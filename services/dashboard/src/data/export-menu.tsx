import { Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '../display/save-file.ts';

export interface ExportMenuProps {
  /** Of the file, without its ending. */
  fileName: string;
  csv: () => string;
  ndjson: () => string;
  png: () => Promise<Blob>;
  curl: () => string;
}

/** What is on the screen as a file, or as a command. */
export function ExportMenu({ fileName, csv, ndjson, png, curl }: ExportMenuProps) {
  const [outcome, setOutcome] = useState('');
  const run = async (action: () => Promise<void>, done: string): Promise<void> => {
    try {
      await action();
      setOutcome(done);
    } catch (error) {
      setOutcome(`Export failed: ${error instanceof Error ? error.message : 'unknown error'}`);
    }
  };
  const files = [
    { name: 'CSV', ending: 'csv', content: () => new Blob([csv()], { type: 'text/csv' }) },
    {
      name: 'NDJSON',
      ending: 'ndjson',
      content: () => new Blob([ndjson()], { type: 'application/x-ndjson' }),
    },
    { name: 'PNG', ending: 'png', content: png },
  ];
  return (
    <>
      <Text span size="xs" c="dimmed" role="status">
        {outcome}
      </Text>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {files.map(({ name, ending, content }) => (
            <Menu.Item
              key={name}
              onClick={() => {
                const save = async () => saveFile(`${fileName}.${ending}`, await content());
                void run(save, `${name} saved`);
              }}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => void run(() => navigator.clipboard.writeText(curl()), 'Command copied')}>
            Copy as curl
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
