import type { AuditEntry } from '../api/resources.ts';
import { describeExactly } from '../display/describe-number.ts';

type Details = Record<string, unknown>;

const WORDS = {
  'cellar.created': 'Created the cellar',
  'cellar.changed': 'Changed the settings',
  'cellar.archived': 'Archived the cellar',
  'keg.changed': 'Changed the settings of a keg',
  'keg.removed': 'Removed the settings of a keg',
  'key.created': 'Created a key',
  'key.changed': 'Changed a key',
  'key.revoked': 'Revoked a key',
  'key.rotated': 'Rotated a key',
  'keys.revoked': 'Revoked the keys of a disabled user',
  'alert_rule.created': 'Created an alert rule',
  'alert_rule.changed': 'Changed an alert rule',
  'alert_rule.muted': 'Muted an alert rule',
  'alert_rule.unmuted': 'Ended the mute of an alert rule',
  'alert_rule.deleted': 'Deleted an alert rule',
  'alert_destination.created': 'Added an alert destination',
  'alert_destination.tested': 'Tested an alert destination',
  'alert_destination.deleted': 'Deleted an alert destination',
};

/** Every action of the audit log of a cellar. */
export type Action = keyof typeof WORDS;
export const ACTIONS = Object.keys(WORDS) as Action[];

const FIELDS: Record<string, string> = {
  retentionDays: 'Retention in days',
  rateLimit: 'Rate limit',
  keg: 'Keg',
  unit: 'Unit',
  decimals: 'Decimals',
  description: 'Description',
  goodRange: 'Good range',
  name: 'Name',
  rack: 'Rack',
  rackPrefix: 'Rack prefix',
  scopes: 'Scopes',
  expiresAt: 'Expires',
  activeKeys: 'Active keys',
  createdBy: 'Created by',
  keys: 'Keys',
  newKeyId: 'New key',
  oldExpiresAt: 'Old key expires',
};

/** Returns the label of an action. Unknown actions keep their name. */
export function describeAction({ action }: Pick<AuditEntry, 'action'>): string {
  return (WORDS as Readonly<Record<string, string>>)[action] ?? action;
}

/** Returns a line for each field; for a change only for the changed fields, after those that name what was changed. */
export function describeDetails({ details }: Pick<AuditEntry, 'details'>): string[] {
  const { before, after, ...others } = details;
  if (!isDetails(before) || !isDetails(after)) return describeFields(details);
  const changes = Object.keys(after)
    .filter((field) => write(before[field]) !== write(after[field]))
    .map((field) => `${nameOf(field)}: ${write(before[field])} → ${write(after[field])}`);
  return [...describeFields(others), ...changes];
}

function describeFields(details: Details): string[] {
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
    return `${describeExactly(Number(value['perSecond']))}/s, burst ${describeExactly(Number(value['burst']))}`;
  }
  if (isDetails(value) && 'min' in value && 'max' in value) return writeRange(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function writeRange({ min, max }: Details): string {
  if (min === null && max === null) return 'none';
  if (min === null) return `at most ${write(max)}`;
  return max === null ? `at least ${write(min)}` : `${write(min)} to ${write(max)}`;
}

function isDetails(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
