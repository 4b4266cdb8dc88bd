/** Control characters, and marks that reverse the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Names come from devices: none may move the cursor of an operator's terminal or hide what stands beside it. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ''}}`);
}
