import { expect, test } from 'vitest';
import { lastWords } from '../src/last-words.ts';

test('a service says its fatal error, without the JSON around it', () => {
  const log = [
    '{"level":"info","msg":"all topics exist"}',
    '{"level":"fatal","msg":"sink could not start","err":{"message":"the topic is weak"}}',
  ].join('\n');
  expect(lastWords(log)).toBe('  sink could not start: the topic is weak');
});

test('another program says its last lines', () => {
  expect(lastWords('one\ntwo\nthree\n', 2)).toBe('  two\n  three');
});

test('JSON that is cut off is shown as it is', () => {
  expect(lastWords('{"level":"fatal","msg":"sink cou')).toBe('  {"level":"fatal","msg":"sink cou');
});
