import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedShape } from './published-shape.ts';

/** What was published; it is changed by `publish-topic.ts` and by nothing else. */
export const PUBLISHED_FILE = join(import.meta.dirname, '..', 'published', 'cellarman.readings.v1.json');

export async function readPublishedShape(): Promise<PublishedShape> {
  return JSON.parse(await readFile(PUBLISHED_FILE, 'utf8')) as PublishedShape;
}
