import { Text } from '@mantine/core';
import type { AuditEntry } from '../api/resources.ts';
import { AppLink } from '../display/app-link.tsx';
import { LongName } from '../display/long-name.tsx';
import type { Column } from '../display/tables/list-table.tsx';
import { describeLocal } from '../display/time/describe-time.ts';
import { ExactTime } from '../display/time/moment.tsx';
import { describeAction, describeDetails } from './describe-entry.ts';

export const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    ...{ name: 'Time', width: '208px' },
    cell: ({ at }) => <ExactTime at={new Date(at)}>{describeLocal(new Date(at))}</ExactTime>,
  },
  { name: 'User', width: '22%', cell: ({ actor }) => <LongName>{actor}</LongName> },
  { name: 'Action', width: '200px', cell: describeAction },
  { name: 'Cellar', width: '14%', cell: CellarLink },
  {
    name: 'Details',
    cell: (entry) => (
      <div>
        <KeyLink entry={entry} />
        {describeDetails(entry).map((line) => (
          <Text key={line} size="sm" c="dimmed">
            {line}
          </Text>
        ))}
      </div>
    ),
  },
  { name: 'IP address', width: '136px', cell: ({ address }) => address ?? 'System' },
];

function CellarLink({ cellar }: AuditEntry) {
  if (cellar === null) return null;
  return (
    <AppLink to="/cellars/$cellar/audit" params={{ cellar }} inherit>
      <LongName>{cellar}</LongName>
    </AppLink>
  );
}

/** The key that an entry is about. Some entries have no name. */
function KeyLink({ entry: { cellar, keyId, details } }: { entry: AuditEntry }) {
  if (cellar === null || keyId === null) return null;
  return (
    <AppLink to="/cellars/$cellar/keys/$id" params={{ cellar, id: keyId }} size="sm">
      {typeof details['name'] === 'string' ? details['name'] : 'Key'}
    </AppLink>
  );
}
