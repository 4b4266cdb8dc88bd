import { isMap, isScalar, parseDocument } from 'yaml';
import type { Pair, YAMLMap } from 'yaml';

interface Row {
  path: string;
  value: unknown;
  description: string;
}

/** The values as a table, with the comments of values.yaml as descriptions. A comment with ## is for a whole section. */
export function valuesTable(valuesYaml: string): string {
  const { contents } = parseDocument(valuesYaml);
  if (!isMap(contents)) throw new Error('values.yaml is no map');
  const lines = rowsOf(contents, '').map(
    ({ path, value, description }) => `| \`${path}\` | ${asCode(value)} | ${description} |`,
  );
  return ['| value | default | meaning |', '| --- | --- | --- |', ...lines].join('\n');
}

function rowsOf(map: YAMLMap, prefix: string): Row[] {
  return map.items.flatMap((pair, index) => {
    const path = `${prefix}${keyOf(pair)}`;
    const own = commentOf(pair.key);
    // The comment before the first field of a section belongs to that field, though the parser gives it to the section.
    const comment = own ?? (index === 0 ? lastParagraph(map.commentBefore) : undefined);
    const isSection =
      isMap(pair.value) && pair.value.flow !== true && (comment === undefined || comment.startsWith('#'));
    if (isSection) return rowsOf(pair.value as YAMLMap, `${path}.`);
    if (comment === undefined) throw new Error(`values.yaml says nothing about ${path}`);
    return [{ path, value: valueOf(pair), description: comment }];
  });
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function valueOf({ value }: Pair): unknown {
  return (value as { toJSON(): unknown }).toJSON();
}

function commentOf(node: unknown): string | undefined {
  return isScalar(node) ? lastParagraph(node.commentBefore) : undefined;
}

/** Of the comments before a value the last, in one line. */
function lastParagraph(comment: string | null | undefined): string | undefined {
  return comment
    ?.split('\n\n')
    .at(-1)
    ?.split('\n')
    .map((line) => line.trim())
    .join(' ');
}

function asCode(value: unknown): string {
  return value === '' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
