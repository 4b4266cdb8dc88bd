import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as text for cookies, links and headers. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

const FORMAT = /^[\w-]{43}$/;

/** Nothing else needs to be looked up. */
export const looksLikeSecret = (text: string): boolean => FORMAT.test(text);

/** What is stored of a secret. No salt and no slow hash is needed, because nobody can try 2^256 of them. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
