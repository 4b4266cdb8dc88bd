/* eslint-disable no-console -- the result goes to the terminal */
/**
 * `pnpm publish-topic`: what the code says of the topic is published from now on.
 *
 * Run it when a release adds to the topic. It rejects a change that would break a consumer: that is a new topic.
 */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { incompatibleChanges } from './topic/incompatible-changes.ts';
import { PUBLISHED_FILE, readPublishedShape } from './topic/published-file.ts';
import { currentShape } from './topic/published-shape.ts';

const current = currentShape();
const changes = incompatibleChanges(await readPublishedShape(), current);
if (changes.length > 0) {
  console.error(
    `Not published, it would break consumers:\n${changes.map((change) => `  - ${change}`).join('\n')}`,
  );
  process.exit(1);
}
const style = await resolveConfig(PUBLISHED_FILE);
await writeFile(PUBLISHED_FILE, await format(JSON.stringify(current, null, 2), { ...style, parser: 'json' }));
console.log(PUBLISHED_FILE);
