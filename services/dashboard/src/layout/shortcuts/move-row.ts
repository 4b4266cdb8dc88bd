/** Focuses the first link or button of the next or previous row, of the focused table or the first one. Enter opens it. */
export function moveRow(by: 1 | -1): void {
  const current = document.activeElement?.closest('tr');
  const table = current?.closest('table') ?? document.querySelector('main table');
  const rows = [...(table?.querySelectorAll('tbody tr') ?? [])];
  const index = rows.findIndex((row) => row === current);
  const next = index === -1 ? rows.at(by === 1 ? 0 : -1) : rows[index + by];
  next?.querySelector<HTMLElement>('a, button')?.focus();
}
