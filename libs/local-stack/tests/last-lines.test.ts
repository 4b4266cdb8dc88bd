import { expect, test } from 'vitest';
import { lastLines } from '../src/last-lines.ts';

test('a service says its fatal error, without the JSON around it', () => {
  const log = [
    '{"level":"info","msg":"all topics exist"}',
    '{"level":"fatal","msg":"sink could not start","err":{"message":"the topic is weak"}}',
  ].join('\n');
  expect(lastLines(log)).toBe('  sink could not start: the topic is weak');
});

test('another program says its last lines', () => {
  expect(lastLines('one\ntwo\nthree\n', 2)).toBe('  two\n  three');
});

test('JSON that is cut off is shown as it is', () => {
  expect(lastLines('{"level":"fatal","msg":"sink cou')).toBe('  {"level":"fatal","msg":"sink cou');
});
