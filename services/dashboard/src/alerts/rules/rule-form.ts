import type { AlertCondition, AlertRule } from '../../api/resources.ts';

export type Kind = AlertCondition['kind'];
/** Number fields are texts while they are empty. */
type Entered = number | string;

/** The fields of the dialog, of all kinds, so that a change of the kind loses nothing. */
export interface RuleForm {
  name: string;
  kind: Kind;
  racks: 'all' | 'rack' | 'prefix';
  rack: string;
  silentMinutes: Entered;
  forgetDays: Entered;
  keg: string;
  above: Entered;
  below: Entered;
  holdMinutes: Entered;
  percent: Entered;
  windowMinutes: Entered;
  minRejected: Entered;
  withinDays: Entered;
  destinations: string[];
  isEnabled: boolean;
}

const MINUTE = 60;
const DAY = 86_400;

const EMPTY: RuleForm = {
  name: '',
  kind: 'rack_silent',
  racks: 'all',
  rack: '',
  silentMinutes: 10,
  forgetDays: 7,
  keg: '',
  above: '',
  below: '',
  holdMinutes: 5,
  percent: 5,
  windowMinutes: 15,
  minRejected: 10,
  withinDays: 7,
  destinations: [],
  isEnabled: true,
};

/** @param destinations of the cellar: a new rule notifies all of them */
export function newForm(destinations: string[]): RuleForm {
  return { ...EMPTY, destinations };
}

export function formOf({ name, condition, destinations, isEnabled }: AlertRule): RuleForm {
  return { ...EMPTY, name, kind: condition.kind, destinations, isEnabled, ...fieldsOf(condition) };
}

function fieldsOf(condition: AlertCondition): Partial<RuleForm> {
  switch (condition.kind) {
    case 'rack_silent':
      return {
        ...racksOf(condition),
        silentMinutes: condition.silentForSeconds / MINUTE,
        forgetDays: condition.forgetAfterSeconds / DAY,
      };
    case 'keg_value':
      return {
        ...racksOf(condition),
        keg: condition.keg,
        above: condition.above ?? '',
        below: condition.below ?? '',
        holdMinutes: condition.forSeconds / MINUTE,
      };
    case 'rejected_share':
      return {
        percent: condition.percent,
        windowMinutes: condition.windowSeconds / MINUTE,
        minRejected: condition.minRejected,
      };
    case 'key_expires':
      return { withinDays: condition.withinDays };
  }
}

function racksOf({ rack, rackPrefix }: { rack: string | null; rackPrefix: string | null }) {
  if (rack !== null) return { racks: 'rack', rack } as const;
  return rackPrefix === null ? {} : ({ racks: 'prefix', rack: rackPrefix } as const);
}

export function isComplete({ kind, racks, rack, keg, above, below }: RuleForm): boolean {
  const hasRack = racks === 'all' || rack !== '';
  if (kind === 'rack_silent') return hasRack;
  return kind !== 'keg_value' || (hasRack && keg !== '' && (above !== '' || below !== ''));
}

/** The rule as the API takes it. */
export function bodyOf(form: RuleForm) {
  const { name, destinations, isEnabled } = form;
  return { name, destinations, isEnabled, condition: conditionOf(form) };
}

function conditionOf(form: RuleForm): AlertCondition {
  const { kind, racks, rack } = form;
  const selection = {
    rack: racks === 'rack' ? rack : null,
    rackPrefix: racks === 'prefix' ? rack : null,
  };
  switch (kind) {
    case 'rack_silent':
      return {
        ...{ kind, ...selection },
        silentForSeconds: seconds(form.silentMinutes, MINUTE),
        forgetAfterSeconds: seconds(form.forgetDays, DAY),
      };
    case 'keg_value':
      return {
        ...{ kind, ...selection, keg: form.keg },
        above: limit(form.above),
        below: limit(form.below),
        forSeconds: seconds(form.holdMinutes, MINUTE),
      };
    case 'rejected_share':
      return {
        kind,
        percent: Number(form.percent),
        windowSeconds: seconds(form.windowMinutes, MINUTE),
        minRejected: Number(form.minRejected),
      };
    case 'key_expires':
      return { kind, withinDays: Number(form.withinDays) };
  }
}

function seconds(amount: Entered, unit: number): number {
  return Math.round(Number(amount) * unit);
}

function limit(value: Entered): number | null {
  return value === '' ? null : Number(value);
}
