import { expect, test } from 'vitest';
import { certificateConflicts, certificateFiles } from '../src/index.ts';

test('a certificate and its key go together, and need encryption', () => {
  const both = { REDIS_TLS_CERT_FILE: 'a', REDIS_TLS_KEY_FILE: 'b' };
  const encrypted = { isEncrypted: true, how: 'rediss:// in REDIS_URL' };
  expect(certificateConflicts({}, 'REDIS_TLS', { ...encrypted, isEncrypted: false })).toEqual([]);
  expect(certificateConflicts(both, 'REDIS_TLS', encrypted)).toEqual([]);
  expect(certificateConflicts(both, 'REDIS_TLS')).toEqual([]);
  expect(certificateConflicts({ REDIS_TLS_KEY_FILE: 'b' }, 'REDIS_TLS', encrypted)).toEqual([
    'REDIS_TLS_CERT_FILE and REDIS_TLS_KEY_FILE go together: give both or none',
  ]);
  expect(certificateConflicts(both, 'REDIS_TLS', { ...encrypted, isEncrypted: false })).toEqual([
    'REDIS_TLS_CERT_FILE is of no use without encryption: it needs rediss:// in REDIS_URL',
  ]);
  expect(certificateFiles(both, 'REDIS_TLS')).toEqual({ certFile: 'a', keyFile: 'b' });
  expect(certificateFiles({}, 'REDIS_TLS')).toBe(undefined);
});
