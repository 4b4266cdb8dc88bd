import type { KeyRow } from '@cellarman/key-settings';
import type { NewSecret } from './dialogs/secret-dialog.tsx';

/** New keys with their secrets, in the format of `cellarman keys import`. Rotated ones have the ID of the old key too. */
export function newKeysCsv(created: readonly NewSecret[]): string {
  const isRotation = created.some(({ replaced }) => replaced !== undefined);
  const rows = created.map(({ key, secret, replaced }) => ({
    ...settingsOf(key),
    key_id: key.id,
    secret,
    ...(isRotation && { replaces: replaced?.id ?? '' }),
  }));
  const table = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return table.map((cells) => `${cells.map(quote).join(',')}\n`).join('');
}

/** The columns of a file that is imported, in the order in which the command writes them. */
function settingsOf(key: NewSecret['key']): Omit<KeyRow, 'line'> {
  return {
    cellar: key.cellar,
    name: key.name,
    rack: key.rack ?? '',
    rack_prefix: key.rackPrefix ?? '',
    scopes: key.scopes.join(' '),
    expires: key.expiresAt ?? '',
    rate: String(key.rateLimit?.perSecond ?? ''),
    burst: String(key.rateLimit?.burst ?? ''),
  };
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
