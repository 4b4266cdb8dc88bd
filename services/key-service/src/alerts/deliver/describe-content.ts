import type { Condition, ConditionOf } from '../rules/condition-schema.ts';
import type { NotificationContent, NotifiedAlert } from '../states/notification-content.ts';

type Details = NotifiedAlert['details'];

/** More are counted, not listed: a message is read on a phone. */
const MAX_LINES = 20;

/** The title and the lines of a message about alerts, for people. */
export function describeContent({ type, cellar, rule, alerts }: NotificationContent): {
  title: string;
  lines: string[];
} {
  if (rule === null) {
    return {
      title: `Test notification from Cellarman for cellar ${cellar}`,
      lines: ['This destination works. Nothing is wrong.'],
    };
  }
  const [first] = alerts;
  const what =
    alerts.length === 1 && first !== undefined
      ? first.subject.name
      : `${alerts.length} ${rule.condition.kind === 'key_expires' ? 'keys' : 'racks'}`;
  const state = type === 'alert.firing' ? 'Firing' : 'Resolved';
  const rest = alerts.length - MAX_LINES;
  return {
    title: `${state}: ${rule.name} (${what}, cellar ${cellar})`,
    lines: [
      ...alerts.slice(0, MAX_LINES).map((alert) => describeAlert(alert, rule.condition)),
      ...(rest > 0 ? [`… and ${rest} more`] : []),
    ],
  };
}

function describeAlert(alert: NotifiedAlert, condition: Condition): string {
  const { name } = alert.subject;
  if (alert.state === 'resolved') {
    return `${name}: ${REASONS[alert.resolvedBecause ?? ''] ?? 'resolved'}, after firing since ${utc(alert.firedAt)}`;
  }
  const { details } = alert;
  switch (condition.kind) {
    case 'rack_silent':
      return `${name}: no reading received since ${utc(alert.since)}`;
    case 'keg_value':
      return `${name}: ${condition.keg} is ${describeValue(details['value'], details)}, ${describeLimits(condition, details)} since ${utc(alert.since)}`;
    case 'rejected_share':
      return `${name}: ${String(details['percent'])} % of the readings were rejected (${String(details['rejected'])} rejected, ${String(details['received'])} received)`;
    case 'key_expires':
      return `API key ${name} (${String(details['displayPrefix'])}…) expires at ${utc(String(details['expiresAt']))}`;
  }
}

/** By why an alert ended. */
const REASONS: Readonly<Record<string, string>> = {
  recovered: 'resolved',
  forgotten: 'silent for so long that the rack counts as removed',
  rule_deleted: 'the rule was deleted',
  rule_disabled: 'the rule was disabled',
  cellar_archived: 'the cellar was archived',
};

function describeLimits({ above, below }: ConditionOf<'keg_value'>, details: Details): string {
  // A limit may have more decimals than the values are shown with.
  const limit = (value: number) => describeValue(value, { ...details, decimals: null });
  const limits = [
    ...(above === null ? [] : [`above ${limit(above)}`]),
    ...(below === null ? [] : [`below ${limit(below)}`]),
  ];
  return limits.join(' or ');
}

/** With the unit and decimals that were the keg's when it was observed. */
function describeValue(value: unknown, { unit, decimals }: Details): string {
  const number = typeof decimals === 'number' ? Number(value).toFixed(decimals) : String(value);
  if (typeof unit !== 'string') return number;
  return /^(%|‰|°$|′|″)/u.test(unit) ? number + unit : `${number} ${unit}`;
}

function utc(instant: string | null): string {
  return instant === null ? 'an unknown time' : `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;
}
