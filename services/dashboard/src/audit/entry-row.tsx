import { Table, Text } from '@mantine/core';
import type { AuditEntry } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { LongName } from '../display/long-name.tsx';
import { describeLocal } from '../display/time/describe-time.ts';
import { ExactTime } from '../display/time/moment.tsx';
import { describeAction, describeDetails } from './describe-entry.ts';

export function EntryRow({ entry, isGlobal }: { entry: AuditEntry; isGlobal: boolean }) {
  const { at, actor, cellar, address } = entry;
  return (
    <Table.Tr>
      <Table.Td data-label="Time">
        <ExactTime at={new Date(at)}>{describeLocal(new Date(at))}</ExactTime>
      </Table.Td>
      <Table.Td data-label="User">
        <LongName>{actor}</LongName>
      </Table.Td>
      <Table.Td data-label="Action">{describeAction(entry)}</Table.Td>
      {isGlobal && (
        <Table.Td data-label="Cellar">
          {cellar !== null && (
            <AppLink to="/cellars/$cellar/audit" params={{ cellar }} inherit>
              <LongName>{cellar}</LongName>
            </AppLink>
          )}
        </Table.Td>
      )}
      <Table.Td data-label="Details">
        <div>
          <KeyLink entry={entry} />
          {describeDetails(entry).map((line) => (
            <Text key={line} size="sm" c="dimmed">
              {line}
            </Text>
          ))}
        </div>
      </Table.Td>
      <Table.Td data-label="IP address">{address ?? 'System'}</Table.Td>
    </Table.Tr>
  );
}

/** The key that an entry is about, in the list of keys. Only entries that have its name can be found there. */
function KeyLink({ entry: { action, cellar, keyId, details } }: { entry: AuditEntry }) {
  const { name } = details;
  if (cellar === null || keyId === null || typeof name !== 'string') return null;
  const search = action === 'key.revoked' ? ({ search: name, state: 'revoked' } as const) : { search: name };
  return (
    <AppLink to="/cellars/$cellar/keys" params={{ cellar }} search={search} size="sm">
      {name}
    </AppLink>
  );
}
