import type { Alert } from '../../api/resources.ts';
import { describeExactly } from '../../display/describe-number.ts';
import { describeValue } from '../../kegs/describe-value.ts';
import type { KegSettingsByName } from '../../kegs/keg-settings.ts';
import { describeUtc } from '../../display/time/describe-time.ts';

/** Returns what was observed last. */
export function describeAlert({ rule: { condition }, details }: Alert, kegs: KegSettingsByName): string {
  switch (condition.kind) {
    case 'rack_silent':
      return 'Rack, no readings received';
    case 'keg_value':
      return `Rack, ${condition.keg} is ${describeValue(Number(details['value']), kegs.get(condition.keg)).text}`;
    case 'rejected_share':
      return `${write(details['percent'])} % rejected: ${write(details['rejected'])} of ${write(total(details))} readings`;
    case 'key_expires':
      return `API key, expires ${describeUtc(new Date(String(details['expiresAt'])))}`;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  forgotten: 'No readings for too long: the rack is treated as removed',
  rule_deleted: 'Rule deleted',
  rule_disabled: 'Rule disabled',
  cellar_archived: 'Cellar archived',
};

/** Returns why it was resolved, unless its condition no longer holds. */
export function describeResolution({ resolvedBecause }: Pick<Alert, 'resolvedBecause'>): string {
  return REASONS[resolvedBecause ?? ''] ?? '';
}

function total(details: Alert['details']): number {
  return Number(details['rejected']) + Number(details['received']);
}

function write(value: unknown): string {
  return describeExactly(Number(value));
}
