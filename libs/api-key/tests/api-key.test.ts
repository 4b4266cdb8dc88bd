import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  deriveApiKey,
  generateApiKey,
  generateClaimCode,
  hasApiKeyFormat,
  hasClaimCodeFormat,
  hashApiKey,
} from '../src/index.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a new key has the format that scanners look for', () => {
  const key = generateApiKey();
  expect(key).toMatch(/^cm_[0-9A-Za-z]{36}$/);
  expect(hasApiKeyFormat(key)).toBe(true);
});

test('keys of one thousand differ, and use the whole alphabet', () => {
  const keys = new Set(Array.from({ length: 1000 }, generateApiKey));
  expect(keys.size).toBe(1000);
  const digits = new Set([...keys].flatMap((key) => Array.from(key.slice(3, 33))));
  expect([...digits].sort().join('')).toBe(BASE62);
});

test('the checksum is the CRC-32 of what stands before it, in base62', () => {
  // CRC-32 of the text, computed with Python's zlib.crc32: 4210611746 = "4axISg" in base62.
  expect(hasApiKeyFormat('cm_0123456789ABCDEFGHIJKLMNOPQRST4axISg')).toBe(true);
});

test('a key with one wrong character is rejected', () => {
  fc.assert(
    fc.property(fc.nat(35), fc.nat(61), (position, digit) => {
      const key = generateApiKey();
      const at = 3 + position;
      const other = BASE62.charAt(digit);
      fc.pre(key[at] !== other);
      expect(hasApiKeyFormat(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }),
  );
});

test.each([
  '',
  'cm_',
  'xx_' + generateApiKey().slice(3),
  generateApiKey() + 'A',
  generateApiKey().slice(0, -1),
  generateApiKey() + '\n',
])('the text %j is no key', (text) => {
  expect(hasApiKeyFormat(text)).toBe(false);
});

test('what is stored is the SHA-256 in hex', () => {
  const key = generateApiKey();
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key, 'utf8').digest('hex'));
  expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
});

test('a claim code has its own prefix, and is no API key', () => {
  const code = generateClaimCode();
  expect(code).toMatch(/^cmc_[0-9A-Za-z]{36}$/);
  expect(hasClaimCodeFormat(code)).toBe(true);
  expect(hasApiKeyFormat(code)).toBe(false);
  expect(hasClaimCodeFormat(generateApiKey())).toBe(false);
  expect(hasClaimCodeFormat(code.slice(0, -1) + (code.endsWith('0') ? '1' : '0'))).toBe(false);
});

test('a derived key depends on the salt and on each text, and has the format of a key', () => {
  const salt = Buffer.alloc(32, 1);
  const key = deriveApiKey(salt, ['code', 'rack', 'secret']);
  expect(hasApiKeyFormat(key)).toBe(true);
  expect(deriveApiKey(salt, ['code', 'rack', 'secret'])).toBe(key);
  const others = [
    deriveApiKey(Buffer.alloc(32, 2), ['code', 'rack', 'secret']),
    deriveApiKey(salt, ['code', 'racks', 'ecret']),
    deriveApiKey(salt, ['code', 'rack', 'secre']),
  ];
  expect(new Set([key, ...others]).size).toBe(4);
});
