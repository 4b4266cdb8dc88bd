import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createLimiter } from '@cellarman/concurrency';
import { ApiError } from '@cellarman/http-api';

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
/** Requests that are already authenticated count as one network in the queue. */
const KNOWN = 'known';

const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface Passwords {
  /** Argon2id in the usual notation, with its cost and salt. */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for an account that does not exist: pass `undefined` for its hash.
   *
   * @param network the source of the attempt, for a fair queue; left out for authenticated users
   */
  verify(password: string, encoded: string | undefined, network?: string): Promise<boolean>;
}

/** Hashes passwords, few at a time, so that concurrent sign-ins take neither all memory nor all threads. */
export function createPasswords({
  maxWaiting = 50,
  derive = argon2id,
}: {
  maxWaiting?: number;
  /** Replaces argon2id in tests that count its calls. */
  derive?: (parameters: Argon2Parameters) => Promise<Buffer>;
} = {}): Passwords {
  const limiter = createLimiter({
    ...{ running: MAX_RUNNING, waiting: maxWaiting, evicts: true },
    full: () => new ApiError('unavailable', 'Too many concurrent sign-ins. Try again.'),
  });

  function deriveLimited(
    password: string,
    nonce: Buffer,
    { network = KNOWN, cost = COST, tagLength = TAG_BYTES } = {},
  ): Promise<Buffer> {
    // NFC: the same letters typed on another keyboard are the same password.
    return limiter.run({ owner: network }, () =>
      derive({ message: password.normalize('NFC'), nonce, tagLength, ...cost }),
    );
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await deriveLimited(password, salt);
      const { memory, passes, parallelism } = COST;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
    },

    async verify(password, encoded, network) {
      const from = network === undefined ? {} : { network };
      if (encoded === undefined) {
        await deriveLimited(password, randomBytes(SALT_BYTES), from);
        return false;
      }
      const [, memory, passes, parallelism, salt = '', tag = ''] = ENCODED.exec(encoded) ?? [];
      if (memory === undefined) throw new Error('a stored password hash is not argon2id');
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
      const expected = Buffer.from(tag, 'base64');
      return timingSafeEqual(
        await deriveLimited(password, Buffer.from(salt, 'base64'), {
          ...from,
          cost,
          tagLength: expected.length,
        }),
        expected,
      );
    },
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
