import { expect, test } from 'vitest';
import { createPasswords } from '../src/passwords/password.ts';

const passwords = createPasswords();

test('a password is known by its hash, and only it', async () => {
  const encoded = await passwords.hash('correct horse');
  expect(encoded).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await passwords.verify('correct horse', encoded)).toBe(true);
  expect(await passwords.verify('correct horse ', encoded)).toBe(false);
  expect(await passwords.verify('', encoded)).toBe(false);
});

test('the same password has another hash each time', async () => {
  expect(await passwords.hash('x')).not.toBe(await passwords.hash('x'));
});

test('a hash with another cost can still be verified', async () => {
  // From the reference implementation: printf password | argon2 somesalt -id -t 2 -k 256 -p 1 -l 24 -e
  const encoded = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await passwords.verify('password', encoded)).toBe(true);
});

test('letters that are typed in another way are the same', async () => {
  const encoded = await passwords.hash('Kellerschlu\u0308ssel');
  expect(await passwords.verify('Kellerschl\u00fcssel', encoded)).toBe(true);
});

test('an account that does not exist takes the same work and is never right', async () => {
  const derivations: object[] = [];
  const counting = createPasswords({
    derive: (parameters) => {
      const { memory, passes, parallelism, tagLength } = parameters;
      derivations.push({ memory, passes, parallelism, tagLength });
      return Promise.resolve(Buffer.alloc(tagLength));
    },
  });
  const encoded = await counting.hash('right');
  derivations.length = 0;
  await counting.verify('wrong', encoded);
  expect(await counting.verify('wrong', undefined)).toBe(false);
  expect(derivations).toEqual([
    { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 },
    { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 },
  ]);
});

test('too many at a time are rejected', async () => {
  const few = createPasswords({ maxWaiting: 2 });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => few.verify('x', undefined)));
  const rejected = results.filter((result) => result.status === 'rejected');
  expect(rejected).toHaveLength(2);
  expect(rejected[0]?.reason).toMatchObject({ code: 'unavailable' });
  expect(await few.verify('x', undefined)).toBe(false);
});

test('what is no argon2id hash is an error, not a wrong password', async () => {
  await expect(passwords.verify('x', '$2b$10$abc')).rejects.toThrow('not argon2id');
});
