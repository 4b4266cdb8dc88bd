import type { Condition } from '../rules/condition-schema.ts';

export type SubjectKind = 'rack' | 'key' | 'cellar';

/** By kind of rule: what its alerts are about. */
export const SUBJECT_KINDS: Readonly<Record<Condition['kind'], SubjectKind>> = {
  rack_silent: 'rack',
  keg_value: 'rack',
  rejected_share: 'cellar',
  key_expires: 'key',
};

export interface NotifiedAlert {
  id: string;
  state: 'firing' | 'resolved';
  subject: { kind: SubjectKind; id: string; name: string };
  since: string;
  firedAt: string | null;
  resolvedAt: string | null;
  resolvedBecause: string | null;
  details: Record<string, unknown>;
}

/** What a notification is about. Receivers get it as `data`. */
export interface NotificationContent {
  type: 'alert.firing' | 'alert.resolved' | 'alert.test';
  cellar: string;
  rule: { id: string; name: string; condition: Condition } | null;
  alerts: NotifiedAlert[];
}
