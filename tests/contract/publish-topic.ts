/* eslint-disable no-console -- the result goes to the terminal */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatText } from '../format-text.ts';
import { incompatibleChanges } from './topic/incompatible-changes.ts';
import { PUBLISHED_FILE, readPublishedShape } from './topic/published-file.ts';
import { currentShape } from './topic/published-shape.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
if (values.help) {
  console.log(`Usage: npx -y pnpm@12 publish-topic

Publishes what the code says of the topic. Run it when a release adds to the topic.
Rejects a change that would break a consumer: that is a new topic.`);
  process.exit(0);
}
const current = currentShape();
const changes = incompatibleChanges(await readPublishedShape(), current);
if (changes.length > 0) {
  console.error(
    `Not published, it would break consumers:\n${changes.map((change) => `  - ${change}`).join('\n')}`,
  );
  process.exit(1);
}
await writeFile(PUBLISHED_FILE, await formatText(PUBLISHED_FILE, JSON.stringify(current, null, 2)));
console.log(PUBLISHED_FILE);
