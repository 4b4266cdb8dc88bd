import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configSchema as canary } from '../../../services/canary/src/config.ts';
import { configSchema as ingest } from '../../../services/ingest/src/config.ts';
import { configSchema as keyService, migrateConfigSchema } from '../../../services/key-service/src/config.ts';
import { configSchema as query } from '../../../services/query/src/config.ts';
import { configSchema as sink } from '../../../services/sink/src/config.ts';
import { ENVIRONMENT_HELP } from '../../../tools/cellarman/src/config.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const pages: string[] = [];
for await (const page of glob(['*.md', 'docs/**/*.md', '{services,libs,tools}/*/README.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
})) {
  pages.push(page);
}

describe.each(pages)('%s', async (page) => {
  const text = await readFile(join(root, page), 'utf8');

  it('leads only to files that exist', async () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target]) => target ?? '');
    const missing: string[] = [];
    for (const target of targets) {
      await access(join(root, dirname(page), target)).catch(() => missing.push(target));
    }
    expect(missing).toEqual([]);
  });

  it("tells Kafka's tools where the brokers are, without which they only print how they are used", () => {
    const commands = [...text.matchAll(/\bkafka-[a-z-]+\.sh [^`\n]*/g)].map(([command]) => command);
    expect(commands.filter((command) => !command.includes('--bootstrap-server '))).toEqual([]);
  });

  it('names only environment variables that a service or the command line reads', () => {
    const variables = [ingest, keyService, migrateConfigSchema, query, sink, canary].flatMap((schema) =>
      Object.keys(schema.properties),
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
