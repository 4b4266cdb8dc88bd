import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema as canary } from '../../../services/canary/src/config.ts';
import { configSchema as gateway } from '../../../services/gateway/src/config.ts';
import { configSchema as ingest } from '../../../services/ingest/src/config.ts';
import { configSchema as keyService, migrateConfigSchema } from '../../../services/key-service/src/config.ts';
import { configSchema as query } from '../../../services/query/src/config.ts';
import { configSchema as sink } from '../../../services/sink/src/config.ts';
import { ENVIRONMENT_HELP } from '../../../tools/cellarman/src/config.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const pages: string[] = [];
for await (const page of glob(['*.md', 'docs/**/*.md', '{services,libs,tools,clients}/*/README.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
})) {
  pages.push(page);
}

/** By the rules of GitHub, which leaves out punctuation. */
async function hasHeading(file: string, anchor: string): Promise<boolean> {
  const headings = (await readFile(file, 'utf8')).matchAll(/^#+ (.*)$/gm);
  return [...headings].some(([, title = '']) => {
    const words = title.toLowerCase().replace(/[^\p{Letter}\p{Number}\s_-]/gu, '');
    return words.replaceAll(' ', '-') === anchor;
  });
}

describe.each(pages)('%s', async (page) => {
  const text = await readFile(join(root, page), 'utf8');

  it('links only to files and headings that exist', async () => {
    const missing: string[] = [];
    for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const file = target === '' ? join(root, page) : join(root, dirname(page), target);
      const exists = await access(file).then(
        () => anchor === undefined || !file.endsWith('.md') || hasHeading(file, anchor),
        () => false,
      );
      if (!exists) missing.push(`${target}${anchor === undefined ? '' : `#${anchor}`}`);
    }
    expect(missing).toEqual([]);
  });

  it("gives Kafka's tools the brokers, without which they only print their usage", () => {
    const commands = [...text.matchAll(/\bkafka-[a-z-]+\.sh [^`\n]*/g)].map(([command]) => command);
    expect(commands.filter((command) => !command.includes('--bootstrap-server '))).toEqual([]);
  });

  it('names only environment variables that a service or the command line reads', () => {
    const variables = [ingest, keyService, migrateConfigSchema, query, sink, canary, gateway].flatMap(
      (schema) => Object.keys(schema.properties),
    );
    const known = new Set([
      ...variables,
      // For a secret that stands in a file.
      ...variables.map((name) => `${name}_FILE`),
      ...(ENVIRONMENT_HELP.match(/\bCELLARMAN_[A-Z_]+/g) ?? []),
    ]);
    const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name ?? '');
    expect(named.filter((name) => !known.has(name) && !name.startsWith('OTEL_'))).toEqual([]);
  });
});
