import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '../http/refusal.ts';

type Argon2Parameters = Parameters<typeof argon2>[1];

const argon2id = promisify((parameters: Argon2Parameters, done: Parameters<typeof argon2>[2]) => {
  argon2('argon2id', parameters, done);
});

/**
 * One of the settings that OWASP lists as equal; about 0.1 s. Not the one with 19 MiB: glibc keeps freed blocks of up
 * to 32 MiB, one for each thread that has hashed, and the process stayed 80 MiB larger after five sign-ins.
 *
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const COST = { memory: 47_104, passes: 1, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;
/** One at a time, because of the memory; the others wait. */
const MAX_RUNNING = 1;

const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface Passwords {
  /** Argon2id in the usual notation, with its cost and salt. */
  hash(password: string): Promise<string>;
  /** Takes as long for an account that does not exist: pass `undefined` for its hash. */
  verify(password: string, encoded: string | undefined): Promise<boolean>;
}

/** Hashes passwords, few at a time, so that many sign-ins at once take neither the memory nor all threads. */
export function createPasswords({
  maxWaiting = 50,
  derive = argon2id,
}: {
  maxWaiting?: number;
  /** Other than argon2id in tests that count how often it is asked. */
  derive?: (parameters: Argon2Parameters) => Promise<Buffer>;
} = {}): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function deriveInTurn(
    password: string,
    nonce: Buffer,
    cost = COST,
    tagLength = TAG_BYTES,
  ): Promise<Buffer> {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= maxWaiting)
        throw new Refusal('unavailable', 'Too many sign-ins at once. Try again.');
      // The one that ends hands its place over, so `running` stays.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      // NFC: the same letters typed on another keyboard are the same password.
      return await derive({ message: password.normalize('NFC'), nonce, tagLength, ...cost });
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await deriveInTurn(password, salt);
      const { memory, passes, parallelism } = COST;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
    },

    async verify(password, encoded) {
      if (encoded === undefined) {
        await deriveInTurn(password, randomBytes(SALT_BYTES));
        return false;
      }
      const [, memory, passes, parallelism, salt = '', tag = ''] = ENCODED.exec(encoded) ?? [];
      if (memory === undefined) throw new Error('a stored password hash is not argon2id');
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
      const expected = Buffer.from(tag, 'base64');
      return timingSafeEqual(
        await deriveInTurn(password, Buffer.from(salt, 'base64'), cost, expected.length),
        expected,
      );
    },
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
