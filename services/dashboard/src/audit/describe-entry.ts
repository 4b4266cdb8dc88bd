import type { AuditEntry } from '../api/resources.ts';

type Details = Record<string, unknown>;

const WORDS = {
  'cellar.created': 'Created the cellar',
  'cellar.changed': 'Changed the settings',
  'cellar.archived': 'Archived the cellar',
  'key.created': 'Created a key',
  'key.changed': 'Changed a key',
  'key.revoked': 'Revoked a key',
  'key.rotated': 'Rotated a key',
  'keys.revoked': 'Revoked the keys of somebody who was disabled',
};

/** What can be done in a cellar. */
export type Action = keyof typeof WORDS;
export const ACTIONS = Object.keys(WORDS) as Action[];

const FIELDS: Record<string, string> = {
  retentionDays: 'retention in days',
  rateLimit: 'rate limit',
  name: 'name',
  rack: 'rack',
  rackPrefix: 'racks that begin with',
  scopes: 'scope',
  expiresAt: 'expiry',
  activeKeys: 'active keys',
  createdBy: 'created by',
  keys: 'keys',
  newKeyId: 'new key',
  oldExpiresAt: 'expiry of the old key',
};

/** What was done, as a person would say it. An action that is not known here keeps its own name. */
export function describeAction({ action }: Pick<AuditEntry, 'action'>): string {
  return (WORDS as Readonly<Record<string, string>>)[action] ?? action;
}

/** What it was about: for a change only what became different. */
export function describeDetails({ details }: Pick<AuditEntry, 'details'>): string[] {
  const { before, after } = details;
  if (isDetails(before) && isDetails(after)) {
    return Object.keys(after)
      .filter((field) => write(before[field]) !== write(after[field]))
      .map((field) => `${nameOf(field)}: ${write(before[field])} → ${write(after[field])}`);
  }
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([field, value]) => `${nameOf(field)}: ${write(value)}`);
}

function nameOf(field: string): string {
  return FIELDS[field] ?? field;
}

function write(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.map(write).join(', ');
  if (isDetails(value) && 'perSecond' in value && 'burst' in value) {
    return `${String(value['perSecond'])} per second, ${String(value['burst'])} at once`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isDetails(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
