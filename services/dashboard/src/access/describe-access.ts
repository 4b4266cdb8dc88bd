import type { Access } from '../api/resources.ts';

const MOST_NAMES = 3;

const ROLES = { owner: 'Owner', member: 'Member', viewer: 'Viewer' };

export function describeRole({ role }: Access): string {
  return ROLES[role];
}

/** Returns the names of the first cellars, and the number of the others. */
export function describeCellars({ cellars }: Access): string {
  if (cellars === null) return 'All';
  if (cellars.length === 0) return 'None';
  const more = cellars.length - MOST_NAMES;
  const names = cellars.slice(0, MOST_NAMES).join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}
