/** Focuses the content of the page, when the focused element is gone: else it would be at the start of the document. */
export function focusContentIfLost(): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  document.getElementById('content')?.focus({ preventScroll: true });
}
