import { readConfig } from '@cellarman/config';
import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { kafkaAccess, kafkaConflicts, kafkaVariables } from '../src/index.ts';

const read = (env: Record<string, string>) =>
  readConfig({ service: 'test', schema: Type.Object(kafkaVariables), env });

const USER = { KAFKA_USERNAME: 'cellarman', KAFKA_PASSWORD: 'secret' };

describe('the variables of Kafka', () => {
  it('mean plain text and no signing in when nothing is said', () => {
    const config = read({ KAFKA_BROKERS: 'a:1,b:2' });
    expect(kafkaConflicts(config)).toEqual([]);
    expect(kafkaAccess(config)).toEqual({ brokers: ['a:1', 'b:2'] });
  });

  it('mean TLS and a user when they are given', () => {
    const config = read({
      KAFKA_BROKERS: 'a:1',
      KAFKA_TLS: 'true',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      ...USER,
    });
    expect(kafkaConflicts(config)).toEqual([]);
    expect(kafkaAccess(config)).toEqual({
      brokers: ['a:1'],
      tls: true,
      sasl: { mechanism: 'scram-sha-512', username: 'cellarman', password: 'secret' },
    });
  });

  it.each([{ KAFKA_SASL_MECHANISM: 'plain' }, USER, { KAFKA_PASSWORD: 'secret' }])(
    'are rejected when a part of the user is missing: %o',
    (env) => {
      const [problem, ...others] = kafkaConflicts(read({ KAFKA_BROKERS: 'a:1', ...env }));
      expect(problem).toMatch(/go together/);
      expect(problem).not.toContain('secret');
      expect(others).toEqual([]);
    },
  );

  it.each([
    [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: 'a' }, /go together/],
    [{ KAFKA_TLS_CERT_FILE: 'a', KAFKA_TLS_KEY_FILE: 'b' }, /needs KAFKA_TLS=true/],
  ])('are rejected when a certificate is of no use: %o', (env, problem) => {
    const problems = kafkaConflicts(read({ KAFKA_BROKERS: 'a:1', ...env }));
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('are rejected when the mechanism is none that we know', () => {
    expect(() => read({ KAFKA_BROKERS: 'a:1', KAFKA_SASL_MECHANISM: 'gssapi', ...USER })).toThrow(
      /KAFKA_SASL_MECHANISM/,
    );
  });
});
