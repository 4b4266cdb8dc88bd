import { parseKeyRows } from '@cellarman/key-settings';
import type { KeyRow } from '@cellarman/key-settings';
import { api } from '../../api/api.ts';
import { digestOf, unfinishedImports } from './unfinished-imports.ts';
import type { UnfinishedImport } from './unfinished-imports.ts';
import { present } from '../../display/read-search.ts';

export interface ImportLine {
  row: KeyRow;
  /** Why no key is created for it. */
  problem: string | undefined;
}

/** What a file creates. */
export interface Import {
  lines: readonly ImportLine[];
  /** As the browser remembers it, before its first request. */
  begun: UnfinishedImport;
  isContinued: boolean;
}

/** 5,000 keys take about a minute. */
const MOST_LINES = 5_000;
const PAGE_SIZE = 200;

/** Reads a file, and checks each line as far as that is possible without creating its key. */
export async function readImport(cellar: string, file: File): Promise<Import> {
  const content = new Uint8Array(await file.arrayBuffer());
  const { rows, errors } = parseKeyRows(content, cellar);
  if (rows.length > MOST_LINES)
    throw new Error(`The file has ${rows.length} lines. Import at most ${MOST_LINES} at a time.`);
  const problems = new Map(errors.map(({ line, message }) => [line, message]));
  const digest = await digestOf(content);
  const left = unfinishedImports(cellar).findLast((one) => one.digest === digest);
  const taken = await activeNames(cellar);
  const lines = rows.map((row) => ({
    row,
    problem:
      problems.get(row.line) ??
      // Its own key may have the name: it is revoked and created again.
      (left?.lines.includes(row.line) === true ? undefined : problemOf(row, cellar, taken)),
  }));
  const open = lines.filter(({ problem }) => problem === undefined).map(({ row }) => row.line);
  const begun = { cellar, digest, name: crypto.randomUUID(), at: Date.now(), ...left };
  return { lines, begun: { ...begun, fileName: file.name, lines: open }, isContinued: left !== undefined };
}

function problemOf(row: KeyRow, cellar: string, taken: ReadonlySet<string>): string | undefined {
  if (row.cellar !== cellar) return `the cellar is ${row.cellar}, not ${cellar}`;
  // Without this, a second import of the same file would create all keys again.
  return taken.has(row.name) ? 'an active key has this name' : undefined;
}

async function activeNames(cellar: string): Promise<Set<string>> {
  const names = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = { state: 'active' as const, limit: PAGE_SIZE, ...present({ cursor }) };
    const page = await api.get('/api/v1/cellars/{cellar}/keys', { params: { path: { cellar }, query } });
    for (const { name } of page.keys) names.add(name);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return names;
}
