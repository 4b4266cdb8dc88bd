import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireGoodPassword } from '../src/passwords/password-rules.ts';

const EMAIL = 'mara@brewery.example.com';
const rule = (password: string) => () => requireGoodPassword(password, EMAIL);

test.each([
  'three barrels of oak',
  'aaabbbcccdddeee',
  '            ',
  'Fässer 🛢️ im Keller',
  'x'.repeat(1_024),
  'the cellarman counts kegs',
])('%s will do: any characters, up to 1,024', (password) => {
  expect(rule(password)).not.toThrow();
});

test.each([
  ['too short', 'elevenchars', '12 to 1024 characters'],
  ['too short, however many bytes it has', '🛢️🛢️🛢️🛢️', '12 to 1024 characters'],
  ['too long', 'x'.repeat(1_025), '12 to 1024 characters'],
  ['common', '123qweasdzxc', 'too common'],
  ['common in other letters', 'QwertyQwerty', 'too common'],
  ['the name of the product', 'cellarman-2026', 'product name'],
  ['the role of its user', 'Administrator-1', 'product name'],
  ['the email', 'Mara@brewery.example.com', 'your email'],
])('%s is rejected', (_case, password, reason) => {
  expect(rule(password)).toThrow(reason);
});

test('the list has 5,000 passwords that are long enough, more than the 3,000 that ASVS requires', async () => {
  const list = join(import.meta.dirname, '../src/passwords/common-passwords.txt');
  const lines = (await readFile(list, 'utf8')).trimEnd().split('\n');
  expect(new Set(lines).size).toBe(5_000);
  expect(lines.every((line) => /^[\w-]{10}$/.test(line))).toBe(true);
});
