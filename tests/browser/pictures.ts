import { join } from 'node:path';

/** Where the pictures of the documents are. */
export const PICTURES = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
