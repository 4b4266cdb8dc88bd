import type { Access } from '../api/resources.ts';

export interface AccessChoice {
  role: Access['role'];
  /** Kept while "owner" is chosen, so that choosing another role again loses nothing. */
  cellars: string[];
}

export const MEMBER_OF_NOTHING: AccessChoice = { role: 'member', cellars: [] };

export function accessChoiceOf({ role, cellars }: Access): AccessChoice {
  return { role, cellars: cellars ?? [] };
}

/** Whether it gives access to anything. */
export function givesAccess({ role, cellars }: AccessChoice): boolean {
  return role === 'owner' || cellars.length > 0;
}

/** Returns the request fields. An owner has all cellars, so `cellars` is left out. */
export function chosenAccess({ role, cellars }: AccessChoice): {
  role: Access['role'];
  cellars?: string[];
} {
  return role === 'owner' ? { role } : { role, cellars };
}
