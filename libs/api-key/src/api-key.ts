import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The format of an API key: `cm_`, 30 random base62 digits (178 bits), and 6 base62 digits with the CRC-32 of all that
 * stands before them.
 *
 * The prefix lets secret scanners find a leaked key. The checksum rejects typing errors before any lookup. It stops no
 * attacker, who can compute it too.
 */
const PREFIX = 'cm_';
const RANDOM_DIGITS = 30;
const CHECKSUM_DIGITS = 6;
const LENGTH = PREFIX.length + RANDOM_DIGITS + CHECKSUM_DIGITS;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORMAT = /^cm_[0-9A-Za-z]{36}$/;

/** Makes a new key. Show it once; store only its hash. */
export function generateApiKey(): string {
  let body = PREFIX;
  for (let i = 0; i < RANDOM_DIGITS; i++) body += BASE62.charAt(randomInt(BASE62.length));
  return body + checksum(body);
}

/** Whether a text can be a key at all: prefix, length, alphabet and checksum. Says nothing about its being known. */
export function hasApiKeyFormat(text: string): boolean {
  if (text.length !== LENGTH || !FORMAT.test(text)) return false;
  const end = LENGTH - CHECKSUM_DIGITS;
  return text.slice(end) === checksum(text.slice(0, end));
}

/**
 * The SHA-256 of a key as 64 hex digits: the only form that is stored. A slow password hash would add nothing,
 * since 178 random bits can't be guessed.
 */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
