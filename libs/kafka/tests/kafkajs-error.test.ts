import { expect, it } from 'vitest';
import { endsMembership, isProtocolError, toProduceError } from '../src/client/kafkajs-error.ts';

function kafkajsError(name: string, fields: object = {}): Error {
  return Object.assign(new Error('told by kafkajs'), { name, ...fields });
}

function wrapped(cause: Error): Error {
  return Object.assign(new Error('gave up', { cause }), {
    name: 'KafkaJSNumberOfRetriesExceeded',
    retriable: false,
  });
}

it.each([
  ['KafkaJSRequestTimeoutError', {}, 'timed_out', true],
  ['KafkaJSConnectionError', { code: 'ECONNREFUSED' }, 'unreachable', true],
  ['TypeError', {}, 'unreachable', true],
  ['KafkaJSProtocolError', { type: 'NOT_LEADER_FOR_PARTITION', retriable: true }, 'unreachable', true],
  ['KafkaJSProtocolError', { type: 'REQUEST_TIMED_OUT', retriable: true }, 'timed_out', true],
  ['KafkaJSProtocolError', { type: 'NOT_ENOUGH_REPLICAS', retriable: true }, 'not_enough_replicas', true],
  ['KafkaJSProtocolError', { type: 'MESSAGE_TOO_LARGE', retriable: false }, 'too_large', false],
  ['KafkaJSProtocolError', { type: 'TOPIC_AUTHORIZATION_FAILED', retriable: false }, 'rejected', false],
])('%s %j is %s', (name, fields, code, retriable) => {
  expect(toProduceError(wrapped(kafkajsError(name, fields)), [3])).toMatchObject({
    code,
    retriable,
    partitions: [3],
  });
});

it('distinguishes a response of the broker from none', () => {
  expect(isProtocolError(wrapped(kafkajsError('KafkaJSProtocolError', { type: 'MESSAGE_TOO_LARGE' })))).toBe(
    true,
  );
  expect(isProtocolError(wrapped(kafkajsError('KafkaJSRequestTimeoutError')))).toBe(false);
});

it.each(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID'])(
  '%s ends a membership',
  (type) => {
    expect(endsMembership(kafkajsError('KafkaJSProtocolError', { type }))).toBe(true);
  },
);

it('a lost connection does not end a membership', () => {
  expect(endsMembership(kafkajsError('KafkaJSConnectionError'))).toBe(false);
});
