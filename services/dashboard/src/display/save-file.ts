/** Lets the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // A browser may read it a moment after the click.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
