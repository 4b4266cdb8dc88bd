import type { AuditEntry } from '../api/resources.ts';
import { describeExactly, plural } from '../display/describe-number.ts';
import { describeLocal } from '../display/time/describe-time.ts';

type Details = Record<string, unknown>;

/** The actions on a cellar and its keys. */
const IN_A_CELLAR = {
  'cellar.created': 'Created the cellar',
  'cellar.changed': 'Changed the settings',
  'cellar.archived': 'Archived the cellar',
  'key.created': 'Created a key',
  'key.claimed': 'Claimed a key',
  'key.changed': 'Changed a key',
  'key.revoked': 'Revoked a key',
  'key.rotated': 'Rotated a key',
  'claim_code.created': 'Created a claim code',
  'claim_code.revoked': 'Revoked a claim code',
  'keys.revoked': 'Revoked the keys of a disabled user',
  'alert_rule.created': 'Created an alert rule',
  'alert_rule.changed': 'Changed an alert rule',
  'alert_rule.muted': 'Muted an alert rule',
  'alert_rule.unmuted': 'Unmuted an alert rule',
  'alert_rule.deleted': 'Deleted an alert rule',
  'alert_destination.created': 'Added an alert destination',
  'alert_destination.changed': 'Changed an alert destination',
  'alert_destination.tested': 'Tested an alert destination',
  'alert_destination.deleted': 'Deleted an alert destination',
  'keg.changed': 'Changed the settings of a keg',
  'keg.removed': 'Removed the settings of a keg',
};

const ELSEWHERE = {
  'session.opened': 'Signed in',
  'session.closed': 'Signed out',
  'session.ended': 'Signed out a session',
  'session.others_ended': 'Signed out other sessions',
  'sign_in.failed': 'Failed to sign in',
  'sign_in.locked': 'Locked out after failed sign-ins',
  'user.created': 'Created a user',
  'user.joined': 'Accepted an invitation',
  'user.changed': 'Changed a user',
  'user.password_changed': 'Changed a password',
  'invitation.created': 'Invited a user',
  'invitation.withdrawn': 'Withdrew an invitation',
  'token.created': 'Created a service token',
  'token.revoked': 'Revoked a service token',
  'dead_letters.replayed': 'Replayed dead letters',
  'dead_letters.discarded': 'Discarded dead letters',
};

const WORDS = { ...IN_A_CELLAR, ...ELSEWHERE };

export type Action = keyof typeof WORDS;
export const CELLAR_ACTIONS = Object.keys(IN_A_CELLAR) as Action[];
export const ACTIONS = Object.keys(WORDS) as Action[];

const FIELDS: Record<string, string> = {
  retentionDays: 'Retention',
  rackPrefix: 'Rack prefix',
  lineProtocolKeg: 'Keg of line protocol',
  expiresAt: 'Expires',
  activeKeys: 'Active keys',
  newKeyId: 'New key',
  oldExpiresAt: 'Old key expires',
  disabledAt: 'Disabled',
  isDisabled: 'Disabled',
  sessionId: 'Session',
  tokenId: 'Token',
  ended: 'Sessions',
  endedSessions: 'Sessions signed out',
};

/** Returns the label of an action. Unknown actions keep their name. */
export function describeAction({ action }: Pick<AuditEntry, 'action'>): string {
  return (WORDS as Readonly<Record<string, string>>)[action] ?? action;
}

/** Returns a line for each field, as in "Retention: 90 → 30 days"; for a change only for the changed fields. */
export function describeDetails({ details }: Pick<AuditEntry, 'details'>): string[] {
  const { before, after, ...rest } = details;
  const unchanged = Object.entries(rest)
    .filter(([, value]) => value !== null)
    .map(([field, value]) => `${nameOf(field)}: ${write(field, value)}`);
  if (!isDetails(before) || !isDetails(after)) return unchanged;
  const changes = Object.keys(after)
    .filter((field) => write(field, before[field]) !== write(field, after[field]))
    .map((field) => `${nameOf(field)}: ${writeChange(field, before[field], after[field])}`);
  return [...unchanged, ...changes];
}

/** Other fields are words as they are: `rateLimit` becomes "Rate limit". */
function nameOf(field: string): string {
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return FIELDS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function writeChange(field: string, before: unknown, after: unknown): string {
  const isCount = typeof before === 'number' && typeof after === 'number';
  const first = isCount ? describeExactly(before) : write(field, before);
  return `${first} → ${write(field, after)}`;
}

function write(field: string, value: unknown): string {
  if (value === null || value === undefined) return field === 'expiresAt' ? 'never' : 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((each) => write('', each)).join(', ');
  if (isDetails(value) && 'perSecond' in value && 'burst' in value) {
    return `${describeExactly(Number(value['perSecond']))}/s, burst ${describeExactly(Number(value['burst']))}`;
  }
  if (isDetails(value) && 'min' in value && 'max' in value) return writeRange(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    return field === 'retentionDays' ? plural(value, 'day') : describeExactly(value);
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return INSTANT.test(value) ? describeLocal(new Date(value)) : value;
}

function writeRange({ min, max }: Details): string {
  if (min === null && max === null) return 'none';
  if (min === null) return `at most ${write('', max)}`;
  return max === null ? `at least ${write('', min)}` : `${write('', min)} to ${write('', max)}`;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isDetails(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
