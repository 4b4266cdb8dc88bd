import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '@cellarman/reading/json-bytes';
import { describeByte } from '../../scan/find-json-error.ts';
import { scanObject } from '../../scan/scan-object.ts';
import { byteAt, errorPosition, isError } from '../../scan/scan-position.ts';
import { scanReadingAt } from '../../scan/scan-reading.ts';
import type { ScannedReading } from '../../scan/scan-state.ts';
import { createScanState, resetScanState } from '../../scan/scan-state.ts';
import { skipValue } from '../../scan/skip-value.ts';
import { BatchRejection } from '../batch-rejection.ts';
import type { BatchReader, ReadingRejection } from './batch-reader.ts';
import { tooLong } from './batch-reader.ts';
import { skipGap } from './skip-gap.ts';

/** More than the longest escape or UTF-8 sequence that the end of the window can cut in two. */
const SLACK = 16;

/**
 * One JSON array of readings. Where it is no JSON the whole batch is rejected: after a missing bracket or quote nobody can
 * say which reading is which.
 *
 * A good reading is passed over once. What is none is passed over again by the grammar of JSON, to find its end, within a
 * window: a single value as large as the batch would hold up every other request.
 */
export function readArray(bytes: Buffer, maxReadingBytes: number): BatchReader {
  const end = bytes.length;
  const scan = createScanState();
  let position = 0;
  let count = 0;
  let state: 'before' | 'inside' | 'behind' = 'before';

  function broken(at: number): BatchRejection {
    const where = `${describeByte(bytes, at, end)} at byte ${at}, after ${count} readings`;
    return new BatchRejection('invalid_json', `The body is not valid JSON: ${where}`);
  }

  function open(): void {
    position = skipGap(bytes, 0, end);
    if (position === end) throw new BatchRejection('invalid_json', 'The body is not valid JSON: it is empty');
    if (bytes[position] !== OPEN_BRACKET) {
      throw new BatchRejection('invalid_batch', 'A batch must be a JSON array of readings');
    }
    position = skipGap(bytes, position + 1, end);
    state = 'inside';
    if (byteAt(bytes, position, end) === CLOSE_BRACKET) close();
  }

  function close(): void {
    position = skipGap(bytes, position + 1, end);
    if (position !== end) throw broken(position);
    state = 'behind';
  }

  function readElement(start: number): ScannedReading | ReadingRejection {
    const window = Math.min(end, start + maxReadingBytes + SLACK);
    resetScanState(scan);
    position = scanObject(bytes, start, window, scan);
    const isReading = !isError(position);
    if (!isReading) position = skipValue(bytes, start, window, { keyStart: -1, keyEnd: -1 });
    const reached = isError(position) ? errorPosition(position) : position;
    if (reached - start > maxReadingBytes) {
      throw new BatchRejection(
        'payload_too_large',
        `${tooLong(maxReadingBytes)}, and that at index ${count} has more`,
      );
    }
    if (isError(position)) throw broken(reached);
    return isReading ? scan.reading : scanReadingAt(bytes, start, position, scan);
  }

  return {
    bytes,
    get position() {
      return position;
    },
    next() {
      if (state === 'before') open();
      if (state === 'behind') return undefined;
      const reading = readElement(position);
      count++;
      position = skipGap(bytes, position, end);
      const byte = byteAt(bytes, position, end);
      if (byte === COMMA) position = skipGap(bytes, position + 1, end);
      else if (byte === CLOSE_BRACKET) close();
      else throw broken(position);
      return reading;
    },
  };
}
