import { BATCH_ENCODINGS } from '@cellarman/contracts';
import type { BatchEncoding } from '@cellarman/contracts';

/**
 * The media type of a `Content-Type`, in lower case and without parameters; undefined where there is none, and for any
 * other character set than UTF-8: its bytes would be misread.
 */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined;
  const [mediaType = '', ...parameters] = contentType.toLowerCase().split(';');
  const isUtf8 = parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    return name.trim() !== 'charset' || ['utf-8', '"utf-8"', 'utf8'].includes(value.trim());
  });
  return isUtf8 ? mediaType.trim() : undefined;
}

/** Returns null for one that is not supported. Two encodings on top of each other are not. */
export function batchEncodingOf(contentEncoding: string | undefined): BatchEncoding | undefined | null {
  const name = contentEncoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return undefined;
  // RFC 9110, 8.4.1.3: the old name.
  if (name === 'x-gzip') return 'gzip';
  return BATCH_ENCODINGS.find((encoding) => encoding === name) ?? null;
}
