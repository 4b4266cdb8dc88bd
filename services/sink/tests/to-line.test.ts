import { READINGS_MAX_BYTES } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { readingLine } from '../../../libs/reading/tests/reading-line.ts';
import { toLine } from '../src/batch/to-line.ts';

it('a message that is longer than one of the topic is not read', () => {
  const value = Buffer.from(' '.repeat(READINGS_MAX_BYTES) + readingLine());
  const message = { key: null, value, timestamp: '0', offset: '0', headers: {} };
  expect(toLine(message)).toMatchObject({ reason: expect.stringContaining('bytes are too many') as string });
});
