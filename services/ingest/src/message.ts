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
  // Both are ASCII without quotes or backslashes.
  const tail = `,"received_at":"${receivedAt}","key_id":"${keyId}"}`;
  const { cellarStart, cellarEnd, rackStart, rackEnd, kegStart, kegEnd } = reading;
  const { valueStart, valueEnd, timestampStart, timestampEnd } = reading;
  const names = CELLAR.length + RACK.length + KEG.length + VALUE.length + TIMESTAMP.length;
  const fields =
    cellarEnd -
    cellarStart +
    (rackEnd - rackStart) +
    (kegEnd - kegStart) +
    (valueEnd - valueStart) +
    (timestampEnd - timestampStart);
  const line = Buffer.allocUnsafe(names + fields + tail.length);

  let end = CELLAR.copy(line, 0);
  end += body.copy(line, end, cellarStart, cellarEnd);
  end += RACK.copy(line, end);
  end += body.copy(line, end, rackStart, rackEnd);
  end += KEG.copy(line, end);
  end += body.copy(line, end, kegStart, kegEnd);
  end += VALUE.copy(line, end);
  end += body.copy(line, end, valueStart, valueEnd);
  end += TIMESTAMP.copy(line, end);
  end += body.copy(line, end, timestampStart, timestampEnd);
  line.write(tail, end, 'latin1');
  return line;
}
