import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The 5,000 most frequent passwords of 12 characters or more in "Ten Million Passwords" (Mark Burnett, 2015, in the
 * public domain), in lower case. Each line is the beginning of a SHA-256: nobody has to read them here.
 *
 * The chance that it has the fingerprint of another password is below 1 in 10^14.
 */
const LIST = join(import.meta.dirname, 'common-passwords.txt');
const FINGERPRINT_CHARACTERS = 10;

const fingerprints = new Set(readFileSync(LIST, 'utf8').trimEnd().split('\n'));

export function isCommonPassword(password: string): boolean {
  const spelling = password.normalize('NFC').toLowerCase();
  const digest = createHash('sha256').update(spelling).digest('base64url');
  return fingerprints.has(digest.slice(0, FINGERPRINT_CHARACTERS));
}
