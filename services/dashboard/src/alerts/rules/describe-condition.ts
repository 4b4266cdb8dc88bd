import type { AlertCondition } from '../../api/resources.ts';
import { plural } from '../../display/describe-number.ts';

export const KINDS = {
  rack_silent: 'Rack silent',
  keg_value: 'Value of a keg',
  rejected_share: 'Share of rejected readings',
  key_expires: 'API key expires soon',
} as const;

/** Returns what a rule evaluates, as in "Racks row-* silent for more than 10 min". */
export function describeCondition(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'rack_silent':
      return `${describeRacks(condition)} silent for more than ${describeSeconds(condition.silentForSeconds)}`;
    case 'keg_value': {
      const held = condition.forSeconds === 0 ? '' : ` for ${describeSeconds(condition.forSeconds)}`;
      return `${condition.keg} ${describeLimits(condition)}${held}, ${describeRacks(condition).toLowerCase()}`;
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

function describeLimits({ above, below }: { above: number | null; below: number | null }): string {
  const limits = [
    ...(above === null ? [] : [`above ${above}`]),
    ...(below === null ? [] : [`below ${below}`]),
  ];
  return limits.join(' or ');
}
