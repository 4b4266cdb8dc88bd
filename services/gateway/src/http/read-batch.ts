import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import type { BatchEncoding } from '@cellarman/contracts';
import { ApiError } from '@cellarman/http-api';

/** The result of `info: true`, which the types of Node lack. */
interface Decompressed {
  buffer: Buffer;
  engine: { bytesWritten: number };
}
type Decompress = (body: Buffer, options: { maxOutputLength: number; info: true }) => Promise<Decompressed>;

const DECOMPRESS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as unknown as Record<BatchEncoding, Decompress>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {ApiError} */
export async function decompress(body: Buffer, encoding: BatchEncoding, limit: number): Promise<Buffer> {
  let result;
  try {
    result = await DECOMPRESS[encoding](body, { maxOutputLength: limit, info: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('payload_too_large', `The body must have at most ${limit} bytes`);
    throw new ApiError(
      'invalid_encoding',
      `The body cannot be decompressed as ${encoding}: ${(error as Error).message}`,
    );
  }
  // Node ignores what follows the end of the compressed data.
  if (result.engine.bytesWritten !== body.length)
    throw new ApiError('invalid_encoding', `Data follows the end of the ${encoding} data`);
  return result.buffer;
}

/** @throws {ApiError} rather than replacing what is not UTF-8: the reading would be stored with other characters */
export function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid UTF-8');
  }
}

/**
 * Returns each reading as it was sent. Lines may be anything, because only the reading in an invalid one is rejected.
 *
 * @throws {ApiError}
 */
export function splitBatch(body: Buffer, format: 'array' | 'lines'): (Buffer | string)[] {
  const pieces = format === 'lines' ? splitLines(body) : splitArray(textOf(body));
  if (pieces.length === 0) throw new ApiError('invalid_batch', 'The batch has no readings');
  return pieces;
}

function splitLines(body: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length;) {
    const found = body.indexOf(0x0a, start);
    const end = found === -1 ? body.length : found;
    const line = body.subarray(start, end);
    if (!/^[ \t\r]*$/.test(line.toString('latin1'))) lines.push(line);
    start = end + 1;
  }
  return lines;
}

/** By its brackets, because `JSON.parse` would hide the digits of numbers, and names that occur twice. */
function splitArray(text: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new ApiError('invalid_json', `The body is not valid JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(parsed)) throw new ApiError('invalid_batch', 'The body of a batch must be a JSON array');
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth === 1 && token === '[') start = index + 1;
    if ((depth === 1 && token === ',') || depth === 0) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return parsed.length === 0 ? [] : pieces;
}
