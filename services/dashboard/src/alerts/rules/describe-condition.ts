import type { AlertCondition } from '../../api/resources.ts';
import { plural } from '../../display/describe-number.ts';
import { withUnit } from '../../kegs/describe-value.ts';
import type { KegSettingsByName } from '../../kegs/keg-settings.ts';

type Limits = Extract<AlertCondition, { kind: 'keg_value' }>;

/** Returns what a rule evaluates, as in "Racks row-* silent for more than 10 min". */
export function describeCondition(condition: AlertCondition, kegs: KegSettingsByName): string {
  switch (condition.kind) {
    case 'rack_silent':
      return `${describeRacks(condition)} silent for more than ${describeSeconds(condition.silentForSeconds)}`;
    case 'keg_value': {
      const held = condition.forSeconds === 0 ? '' : ` for ${describeSeconds(condition.forSeconds)}`;
      return `${condition.keg} ${describeLimits(condition, kegs)}${held}, ${describeRacks(condition).toLowerCase()}`;
    }
    case 'rejected_share':
      return `More than ${condition.percent} % of the readings rejected in ${describeSeconds(condition.windowSeconds)}`;
    case 'key_expires':
      return `A key in use expires within ${plural(condition.withinDays, 'day')}`;
  }
}

export function describeSeconds(seconds: number): string {
  const units: [name: string, length: number][] = [
    ['days', 86_400],
    ['h', 3_600],
    ['min', 60],
  ];
  const [name, length] = units.find(([, each]) => seconds >= each && seconds % each === 0) ?? ['s', 1];
  const amount = seconds / length;
  return amount === 1 && name === 'days' ? '1 day' : `${amount} ${name}`;
}

function describeRacks({ rack, rackPrefix }: { rack: string | null; rackPrefix: string | null }): string {
  if (rack !== null) return `Rack ${rack}`;
  return rackPrefix === null ? 'Any rack' : `Racks ${rackPrefix}*`;
}

function describeLimits({ keg, above, below }: Limits, kegs: KegSettingsByName): string {
  const limit = (value: number) => withUnit(String(value), kegs.get(keg)?.unit ?? null);
  const limits = [
    ...(above === null ? [] : [`above ${limit(above)}`]),
    ...(below === null ? [] : [`below ${limit(below)}`]),
  ];
  return limits.join(' or ');
}
