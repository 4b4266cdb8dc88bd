import { Button, Group, Paper, Text } from '@mantine/core';
import { plural } from '../../display/describe-number.ts';
import type { KeysSearch } from '../keys-search.ts';
import type { BulkAction } from '../key-actions.ts';
import classes from './selection.module.css';

export interface SelectionBarProps {
  count: number;
  state: NonNullable<KeysSearch['state']>;
  act: (action: BulkAction) => void;
  clear: () => void;
}

/** What can be done with the selected keys. It stays in view below the list, so that no row moves. */
export function SelectionBar({ count, state, act, clear }: SelectionBarProps) {
  if (count === 0) return null;
  return (
    <Paper withBorder p="xs" className={classes.bar} component="section" aria-label="Selected keys">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status" mr="auto">
          {plural(count, 'key')} selected
        </Text>
        <Button size="xs" variant="default" onClick={() => act('revoke')}>
          Revoke selected
        </Button>
        <Button size="xs" variant="default" onClick={() => act('expire')}>
          Change expiry
        </Button>
        {state === 'active' && (
          <Button size="xs" variant="default" onClick={() => act('rotate')}>
            Rotate selected
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={clear}>
          Clear
        </Button>
      </Group>
    </Paper>
  );
}
