import { Button, Checkbox, Code, Menu, Table, Text } from '@mantine/core';
import type { Key } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { describeExactly } from '../display/describe-number.ts';
import { LongName } from '../display/long-name.tsx';
import { RowActions } from '../display/tables/row-actions.tsx';
import { Moment } from '../display/time/moment.tsx';
import type { Selection } from './bulk/use-selection.ts';
import classes from './bulk/selection.module.css';

export type KeyAction = 'revoke' | 'rotate' | 'edit';

export interface KeyRowProps {
  apiKey: Key;
  /** The key that this one was rotated from, if it is in the same list. */
  replaced: Key | undefined;
  /** Undefined: it cannot be selected. */
  selection: Selection | undefined;
  /** Undefined: the user cannot change keys. */
  act: ((action: KeyAction, key: Key) => void) | undefined;
}

export function KeyRow({ apiKey, replaced, selection, act }: KeyRowProps) {
  const { cellar, id, name, displayPrefix, state, createdAt, lastUsedAt, expiresAt, scopes, rateLimit } =
    apiKey;
  return (
    <Table.Tr pos="relative">
      {selection !== undefined && (
        <Table.Td className={classes.cell ?? ''}>
          <Checkbox
            size="xs"
            aria-label={`Select ${name}`}
            checked={selection.has(id)}
            onChange={(event) => selection.set([apiKey], event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      <Table.Td>
        <Text component="div" inherit fw={600}>
          <AppLink to="/cellars/$cellar/keys/$id" params={{ cellar, id }} inherit>
            <LongName>{name}</LongName>
          </AppLink>
        </Text>
        <Restriction apiKey={apiKey} />
        {apiKey.rotatedFrom !== null && (
          <Text size="xs" c="dimmed">
            replaces {replaced === undefined ? 'an older key' : `${replaced.displayPrefix}…`}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Key">
        <Code>{displayPrefix}…</Code>
      </Table.Td>
      <Table.Td data-label="Created">
        <Moment at={createdAt} />
      </Table.Td>
      <Table.Td data-label="Last used">
        <Moment at={lastUsedAt} />
      </Table.Td>
      {state === 'revoked' ? (
        <Table.Td data-label="Revoked">
          <div>
            <Moment at={apiKey.revokedAt} />
            <Text size="xs" c="dimmed" component="div">
              <LongName>{`by ${apiKey.revokedBy ?? 'the system'}`}</LongName>
            </Text>
          </div>
        </Table.Td>
      ) : (
        <Table.Td data-label="Expires">
          <Moment at={expiresAt} />
        </Table.Td>
      )}
      <Table.Td data-label="Scopes">{scopes.join(', ')}</Table.Td>
      <Table.Td data-label="Rate limit">
        {rateLimit === null ? 'Default' : `${describeExactly(rateLimit.perSecond)}/s`}
      </Table.Td>
      {act !== undefined && (
        <Table.Td>{state !== 'revoked' && <Actions apiKey={apiKey} act={act} />}</Table.Td>
      )}
    </Table.Tr>
  );
}

function Actions({ apiKey, act }: { apiKey: Key; act: NonNullable<KeyRowProps['act']> }) {
  const { name, state } = apiKey;
  return (
    <RowActions>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Revoke ${name}`}
        onClick={() => act('revoke', apiKey)}
      >
        Revoke
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" aria-label={`More actions for ${name}`}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => act('edit', apiKey)}>Edit</Menu.Item>
          {state === 'active' && <Menu.Item onClick={() => act('rotate', apiKey)}>Rotate</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </RowActions>
  );
}

function Restriction({ apiKey: { rack, rackPrefix } }: { apiKey: Key }) {
  if (rack === null && rackPrefix === null) return null;
  return (
    <Text size="xs" c="dimmed" component="div">
      <LongName>{rack === null ? `${rackPrefix ?? ''}*` : `${rack} only`}</LongName>
    </Text>
  );
}
