import type { Rejected } from '@cellarman/contracts';
import { READING_FIELD_NAMES } from '@cellarman/reading';

const FIRST_NAME = new RegExp(`^"(${READING_FIELD_NAMES.join('|')})"`);

/**
 * The field that an error message is about. Each message about a field begins with its name in quotes; of several that are
 * missing the first stands for all. The name of an unknown field is the client's text, and is none of these.
 */
export function fieldIn(error: string): Rejected['field'] {
  return (FIRST_NAME.exec(error)?.[1] ?? null) as Rejected['field'];
}
