import type { AlertCondition, AlertRule } from '../../api/resources.ts';

export type Kind = AlertCondition['kind'];
/** Number fields are texts while they are empty. */
type Entered = number | string;

export interface NumberField {
  /** In the API. */
  name: string;
  label: string;
  description?: string;
  /** One of the form, such as a minute, in the unit of the API. @default 1 */
  unit?: number;
  preset: Entered;
  min?: number;
  max?: number;
  /** Empty: null in the API, and the field has the unit of the keg. */
  isLimit?: boolean;
  isWhole?: boolean;
}

interface KindOfRule {
  label: string;
  hasRacks: boolean;
  numbers: readonly NumberField[];
}

const MINUTE = 60;
const DAY = 86_400;

/** The fields of each kind. A new kind has its line here, its own fields in condition-fields.tsx and its words in describe-condition.ts. */
export const KINDS: Readonly<Record<Kind, KindOfRule>> = {
  rack_silent: {
    label: 'Rack silent',
    hasRacks: true,
    numbers: [
      {
        ...{ name: 'silentForSeconds', label: 'Silent for more than (minutes)', unit: MINUTE },
        ...{ preset: 10, min: 1, max: 43_200 },
      },
      {
        ...{ name: 'forgetAfterSeconds', label: 'Stop alerting after (days)', unit: DAY },
        ...{ preset: 7, min: 1, max: 365 },
      },
    ],
  },
  keg_value: {
    label: 'Value of a keg',
    hasRacks: true,
    numbers: [
      { name: 'above', label: 'Above', preset: '', isLimit: true, isWhole: false },
      { name: 'below', label: 'Or below', preset: '', isLimit: true, isWhole: false },
      { name: 'forSeconds', label: 'For (minutes)', unit: MINUTE, preset: 5, min: 0, max: 10_080 },
    ],
  },
  rejected_share: {
    label: 'Share of rejected readings',
    hasRacks: false,
    numbers: [
      { name: 'percent', label: 'More than (%)', preset: 5, min: 0.01, max: 100, isWhole: false },
      { name: 'windowSeconds', label: 'Within (minutes)', unit: MINUTE, preset: 15, min: 5, max: 1_440 },
      { name: 'minRejected', label: 'Minimum rejected readings', preset: 10, min: 1, max: 1_000_000 },
    ],
  },
  key_expires: {
    label: 'API key expires soon',
    hasRacks: false,
    numbers: [
      {
        ...{ name: 'withinDays', label: 'Expires within (days)', preset: 7, min: 1, max: 365 },
        description: 'Keys that were used in the last 7 days.',
      },
    ],
  },
};

/** The fields of the dialog, of all kinds, so that a change of the kind loses nothing. */
export interface RuleForm {
  name: string;
  kind: Kind;
  racks: 'all' | 'rack' | 'prefix';
  rack: string;
  keg: string;
  numbers: Readonly<Record<string, Entered>>;
  destinations: string[];
  isEnabled: boolean;
}

const FIELDS = Object.values(KINDS).flatMap(({ numbers }) => numbers);

/** @param destinations of the cellar: a new rule notifies all of them */
export function newForm(destinations: string[]): RuleForm {
  const numbers = Object.fromEntries(FIELDS.map(({ name, preset }) => [name, preset]));
  const where = { racks: 'all', rack: '', keg: '' } as const;
  return { name: '', kind: 'rack_silent', ...where, numbers, destinations, isEnabled: true };
}

export function formOf({ name, condition, destinations, isEnabled }: AlertRule): RuleForm {
  const { kind } = condition;
  const form = newForm(destinations);
  const given = condition as unknown as Record<string, number | null>;
  const numbers = KINDS[kind].numbers.map((field): [string, Entered] => {
    const value = given[field.name] ?? null;
    return [field.name, value === null ? '' : value / (field.unit ?? 1)];
  });
  return {
    ...{ ...form, name, kind, isEnabled },
    ...('rack' in condition && racksOf(condition)),
    ...('keg' in condition && { keg: condition.keg }),
    numbers: { ...form.numbers, ...Object.fromEntries(numbers) },
  };
}

function racksOf({ rack, rackPrefix }: { rack: string | null; rackPrefix: string | null }) {
  if (rack !== null) return { racks: 'rack', rack } as const;
  return rackPrefix === null ? {} : ({ racks: 'prefix', rack: rackPrefix } as const);
}

export function isComplete({ kind, racks, rack, keg, numbers }: RuleForm): boolean {
  const hasRack = !KINDS[kind].hasRacks || racks === 'all' || rack !== '';
  return (
    hasRack && (kind !== 'keg_value' || (keg !== '' && (numbers['above'] !== '' || numbers['below'] !== '')))
  );
}

/** The rule as the API takes it. */
export function bodyOf({ name, kind, racks, rack, keg, numbers, destinations, isEnabled }: RuleForm) {
  const selection = {
    rack: racks === 'rack' ? rack : null,
    rackPrefix: racks === 'prefix' ? rack : null,
  };
  const entered = KINDS[kind].numbers.map((field) => [field.name, toApi(field, numbers[field.name] ?? '')]);
  const condition = {
    kind,
    ...(KINDS[kind].hasRacks && selection),
    ...(kind === 'keg_value' && { keg }),
    ...(Object.fromEntries(entered) as object),
  } as AlertCondition;
  return { name, destinations, isEnabled, condition };
}

function toApi({ unit, isLimit = false }: NumberField, value: Entered): number | null {
  if (isLimit && value === '') return null;
  return unit === undefined ? Number(value) : Math.round(Number(value) * unit);
}
