/** Control and format characters: they are invisible, or reverse the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const BYTES_PER_LINE = 16;

/** Returns text without characters that are invisible or move others: they become `\u{…}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ''}}`);
}

export function decodeBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
}

/** Returns bytes as printable text of several lines. Invalid UTF-8 becomes `�`. */
export function toText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.replaceAll('\r\n', '\n').split('\n').map(printable).join('\n');
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns lines as in `00000010  7b 22 63 …  |{"c…|`, 16 bytes each. */
export function toHexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let first = 0; first < bytes.length; first += BYTES_PER_LINE) {
    const part = [...bytes.subarray(first, first + BYTES_PER_LINE)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${first.toString(16).padStart(8, '0')}  ${hex.padEnd(3 * BYTES_PER_LINE - 1)}  |${text}|`);
  }
  return lines.join('\n');
}
