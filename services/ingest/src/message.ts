import type { ScannedReading } from './scan-reading.ts';

const CELLAR = Buffer.from('{"cellar":');
const RACK = Buffer.from(',"rack":');
const KEG = Buffer.from(',"keg":');
const VALUE = Buffer.from(',"value":');
const TIMESTAMP = Buffer.from(',"timestamp":');

/**
 * The value of a message: one line of JSON, whose five fields are the very bytes of the request.
 *
 * @param received_at ISO 8601 with milliseconds
 */
export function messageValue(
  body: Buffer,
  reading: ScannedReading,
  receivedAt: string,
  keyId: string,
): Buffer {
  const tail = messageTail(receivedAt, keyId);
  const line = Buffer.allocUnsafe(fieldsLength(reading) + tail.length);
  const end = writeFields(line, 0, body, reading);
  line.write(tail, end, 'latin1');
  return line;
}

/** The end of the line, which all readings of a batch share. Both are ASCII without quotes or backslashes. */
export function messageTail(receivedAt: string, keyId: string): string {
  return `,"received_at":"${receivedAt}","key_id":"${keyId}"}`;
}

/** How many bytes `writeFields` writes. */
export function fieldsLength(reading: ScannedReading): number {
  const { cellarStart, cellarEnd, rackStart, rackEnd, kegStart, kegEnd } = reading;
  const { valueStart, valueEnd, timestampStart, timestampEnd } = reading;
  const names = CELLAR.length + RACK.length + KEG.length + VALUE.length + TIMESTAMP.length;
  return (
    names +
    (cellarEnd - cellarStart) +
    (rackEnd - rackStart) +
    (kegEnd - kegStart) +
    (valueEnd - valueStart) +
    (timestampEnd - timestampStart)
  );
}

/** Writes the five fields to `line` from `start`. Answers the position behind them. */
export function writeFields(line: Buffer, start: number, body: Buffer, reading: ScannedReading): number {
  const { cellarStart, cellarEnd, rackStart, rackEnd, kegStart, kegEnd } = reading;
  const { valueStart, valueEnd, timestampStart, timestampEnd } = reading;
  if (isWrittenLikeAMessage(reading)) {
    const from = cellarStart - CELLAR.length;
    return start + body.copy(line, start, from, timestampEnd);
  }
  let end = start + CELLAR.copy(line, start);
  end += body.copy(line, end, cellarStart, cellarEnd);
  end += RACK.copy(line, end);
  end += body.copy(line, end, rackStart, rackEnd);
  end += KEG.copy(line, end);
  end += body.copy(line, end, kegStart, kegEnd);
  end += VALUE.copy(line, end);
  end += body.copy(line, end, valueStart, valueEnd);
  end += TIMESTAMP.copy(line, end);
  return end + body.copy(line, end, timestampStart, timestampEnd);
}

/**
 * Whether the fields stand in the order of a message without a byte more than it has between them: then they are one piece.
 * The shortest way to write a comma, a name and a colon is the only one of its length.
 */
function isWrittenLikeAMessage(reading: ScannedReading): boolean {
  return (
    reading.rackStart - reading.cellarEnd === RACK.length &&
    reading.kegStart - reading.rackEnd === KEG.length &&
    reading.valueStart - reading.kegEnd === VALUE.length &&
    reading.timestampStart - reading.valueEnd === TIMESTAMP.length &&
    reading.cellarStart - reading.objectStart === CELLAR.length
  );
}
