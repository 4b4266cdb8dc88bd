import { createHash, createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The format of an API key: `cm_`, 30 random base62 digits (178 bits), and 6 base62 digits with the CRC-32 of all that
 * stands before them.
 *
 * The prefix lets secret scanners find a leaked key. The checksum rejects typing errors before any lookup. It stops no
 * attacker, who can compute it too.
 */
const PREFIX = 'cm_';
/** Of a claim code, which has the same format otherwise. */
const CLAIM_CODE_PREFIX = 'cmc_';
const RANDOM_DIGITS = 30;
const CHECKSUM_DIGITS = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORMAT = /^cm_[0-9A-Za-z]{36}$/;
const CLAIM_CODE_FORMAT = /^cmc_[0-9A-Za-z]{36}$/;

/** Makes a new key. Show it once; store only its hash. */
export const generateApiKey = (): string => generate(PREFIX);

/** Makes a new claim code. Show it once; store only its hash. */
export const generateClaimCode = (): string => generate(CLAIM_CODE_PREFIX);

/**
 * Makes a key of random bytes and texts: the same ones always give the same key.
 *
 * Nobody can compute it without all of them, and the 256 bits of an HMAC, taken modulo 62^30, are as good as random digits.
 */
export function deriveApiKey(salt: Uint8Array, texts: readonly string[]): string {
  let rest = BigInt(`0x${createHmac('sha256', salt).update(JSON.stringify(texts)).digest('hex')}`);
  let body = PREFIX;
  for (let i = 0; i < RANDOM_DIGITS; i++) {
    body += BASE62.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return body + checksum(body);
}

/** Whether a text can be a key at all: prefix, length, alphabet and checksum. Says nothing about its being known. */
export const hasApiKeyFormat = (text: string): boolean => FORMAT.test(text) && hasChecksum(text);

export const hasClaimCodeFormat = (text: string): boolean =>
  CLAIM_CODE_FORMAT.test(text) && hasChecksum(text);

/**
 * The SHA-256 of a key as 64 hex digits: the only form that is stored. A slow password hash would add nothing,
 * since 178 random bits can't be guessed.
 */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}

function generate(prefix: string): string {
  let body = prefix;
  for (let i = 0; i < RANDOM_DIGITS; i++) body += BASE62.charAt(randomInt(BASE62.length));
  return body + checksum(body);
}

function hasChecksum(text: string): boolean {
  return text.slice(-CHECKSUM_DIGITS) === checksum(text.slice(0, -CHECKSUM_DIGITS));
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
