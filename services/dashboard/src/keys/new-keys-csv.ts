import type { NewSecret } from './dialogs/secret-dialog.tsx';

/** The columns of `cellarman keys import`, and of the file that it writes. */
const COLUMNS = ['cellar', 'name', 'rack', 'rack_prefix', 'scopes', 'expires', 'rate', 'burst'];

/** New keys with their secrets, in the format of `cellarman keys import`. Rotated ones have the ID of the old key too. */
export function newKeysCsv(created: readonly NewSecret[]): string {
  const isRotation = created.some(({ replaced }) => replaced !== undefined);
  const heading = [...COLUMNS, 'key_id', 'secret', ...(isRotation ? ['replaces'] : [])];
  const rows = created.map(({ key, secret, replaced }) => [
    key.cellar,
    key.name,
    key.rack ?? '',
    key.rackPrefix ?? '',
    key.scopes.join(' '),
    key.expiresAt ?? '',
    String(key.rateLimit?.perSecond ?? ''),
    String(key.rateLimit?.burst ?? ''),
    key.id,
    secret,
    ...(isRotation ? [replaced?.id ?? ''] : []),
  ]);
  return [heading, ...rows].map((cells) => `${cells.map(quote).join(',')}\n`).join('');
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
