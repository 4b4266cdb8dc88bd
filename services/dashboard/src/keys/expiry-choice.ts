const DAY_MS = 86_400_000;

/** Numeric values are days from now. */
export const EXPIRY_PRESETS = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'date', label: 'Custom date…' },
] as const;

/** @param maxDays null: no maximum, and never is allowed */
export function presetsWithin(maxDays: number | null) {
  if (maxDays === null) return [...EXPIRY_PRESETS];
  return EXPIRY_PRESETS.filter(
    ({ value }) => value === 'date' || (value !== 'never' && Number(value) <= maxDays),
  );
}

export interface ExpiryChoice {
  preset: (typeof EXPIRY_PRESETS)[number]['value'];
  /** In the time zone of the reader, in the format of `datetime-local`. */
  date: string;
}

export const NO_EXPIRY: ExpiryChoice = { preset: 'never', date: '' };

/** Returns the chosen time, or null for never. `date` is in the time zone of the reader. */
export function chosenExpiry({ preset, date }: ExpiryChoice, now: number): string | null {
  if (preset === 'never') return null;
  if (preset === 'date') return new Date(date).toISOString();
  return new Date(now + Number(preset) * DAY_MS).toISOString();
}

/** Returns the choice that represents an existing expiry. */
export function expiryChoiceOf(expiresAt: string | null): ExpiryChoice {
  return expiresAt === null ? NO_EXPIRY : { preset: 'date', date: toLocalField(new Date(expiresAt)) };
}

/** Returns the time in the format of `datetime-local`. */
export function toLocalField(at: Date): string {
  const inZone = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return inZone.toISOString().slice(0, 16);
}
