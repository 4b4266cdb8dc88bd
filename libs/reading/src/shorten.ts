/** Reasons quote what was sent, and end up in headers and log lines. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
