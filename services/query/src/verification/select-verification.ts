import type { Select } from '../clickhouse/select.ts';

export interface VerifiedFigures {
  messages: number;
  acknowledged: number;
  stored: number;
  missing: number;
  duplicated: number;
  altered: number;
  expired: number;
  deadLetters: number;
}

export interface Hour extends VerifiedFigures {
  /** The begin of the hour. */
  at: string;
  state: 'verified' | 'pending' | 'unverifiable';
  checkedAt: string | null;
  findings: string[];
}

export interface Verification {
  hours: Hour[];
  /** The sum of the verified hours. */
  total: VerifiedFigures;
  /** When the verified hour was checked whose check is the oldest. */
  checkedAt: string | null;
}

export const HOUR_MS = 3_600_000;

const NOTHING: VerifiedFigures = {
  ...{ messages: 0, acknowledged: 0, stored: 0, missing: 0 },
  ...{ duplicated: 0, altered: 0, expired: 0, deadLetters: 0 },
};
const FIGURES = Object.keys(NOTHING) as (keyof VerifiedFigures)[];

/** The row of an hour as a whole has no cellar. */
type Row = VerifiedFigures &
  Record<'at' | 'verifiedAt' | 'checkedAt' | 'cellar' | 'digest', string> & { findings: string[] };

/** Every hour from `from` up to `to`, both the begin of an hour. */
export async function selectHours(
  select: Select,
  { cellar, from, to }: { cellar: string; from: Date; to: Date },
  signal: AbortSignal,
): Promise<Hour[]> {
  const count = (to.getTime() - from.getTime()) / HOUR_MS;
  const rows = await select.rows<Row>(
    {
      sql: `SELECT hour AS at, cellar, verified_at AS verifiedAt, checked_at AS checkedAt, digest, messages, acknowledged,
          stored, missing, duplicated, altered, expired, dead_letters AS deadLetters, findings
        FROM verified_hours FINAL
        WHERE cellar IN ('', {cellar: String}) AND hour >= {from: DateTime('UTC')} AND hour < {to: DateTime('UTC')}`,
      params: { cellar, from, to },
      maxRows: 2 * count,
    },
    signal,
  );
  const whole = new Map(rows.filter((row) => row.cellar === '').map((row) => [Date.parse(row.at), row]));
  const own = new Map(rows.filter((row) => row.cellar !== '').map((row) => [Date.parse(row.at), row]));
  return Array.from({ length: count }, (_, index) => {
    const at = from.getTime() + index * HOUR_MS;
    return toHour(at, whole.get(at), own.get(at));
  });
}

/** Hours with their sum. */
export function summarize(hours: Hour[]): Verification {
  const verified = hours.filter(({ state }) => state === 'verified');
  return {
    hours,
    total: Object.fromEntries(
      FIGURES.map((name) => [name, verified.reduce((sum, hour) => sum + hour[name], 0)]),
    ) as unknown as VerifiedFigures,
    checkedAt: verified.map(({ checkedAt }) => checkedAt).reduce(earlier, null),
  };
}

/** An earlier verification may have left a row of the cellar: it counts no more. */
function toHour(at: number, whole: Row | undefined, own: Row | undefined): Hour {
  const begin = new Date(at).toISOString();
  if (whole === undefined) {
    return { at: begin, state: 'pending', checkedAt: null, ...NOTHING, findings: [] };
  }
  const isOf = own !== undefined && own.verifiedAt >= whole.verifiedAt;
  const figures = isOf ? Object.fromEntries(FIGURES.map((name) => [name, own[name]])) : {};
  return {
    at: begin,
    state: whole.digest === '' ? 'unverifiable' : 'verified',
    checkedAt: whole.checkedAt,
    ...NOTHING,
    ...figures,
    findings: isOf ? own.findings : [],
  };
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
