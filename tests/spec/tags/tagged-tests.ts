import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

export interface TaggedTest {
  file: string;
  title: string;
  ids: string[];
  /** The test runs like any other: it is not skipped, planned, or expected to fail. */
  runs: boolean;
}

const ROOT = join(import.meta.dirname, '..');

/** Every call of `requirement(…)` in the tests of this folder, read from their source. */
export async function taggedTests(): Promise<TaggedTest[]> {
  const files = (await readdir(ROOT)).filter((name) => name.endsWith('.integration.test.ts')).sort();
  const perFile = files.map(async (file) => tagsIn(file, await readFile(join(ROOT, file), 'utf8')));
  return (await Promise.all(perFile)).flat();
}

/** @throws {Error} for a call that cannot be read without running it */
export function tagsIn(file: string, source: string): TaggedTest[] {
  const tags: TaggedTest[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(tree) === 'requirement') {
      const [ids, title] = node.arguments;
      tags.push({
        file,
        ids: texts(ids, file),
        title: texts(title, file).join(''),
        runs: isTitleOfTest(node, tree),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return tags;
}

function texts(argument: ts.Expression | undefined, file: string): string[] {
  if (argument !== undefined && ts.isStringLiteralLike(argument)) return [argument.text];
  if (argument !== undefined && ts.isArrayLiteralExpression(argument)) {
    return argument.elements.flatMap((element) => texts(element, file));
  }
  throw new Error(
    `${file}: the arguments of requirement() must be literals, not ${argument?.getText() ?? 'nothing'}`,
  );
}

/** `test(requirement(…), …)`, with no `describe.skip` or the like around it. */
function isTitleOfTest(call: ts.CallExpression, tree: ts.SourceFile): boolean {
  const parent = call.parent;
  if (
    !ts.isCallExpression(parent) ||
    parent.arguments[0] !== call ||
    parent.expression.getText(tree) !== 'test'
  )
    return false;
  for (let node: ts.Node = parent; !ts.isSourceFile(node); node = node.parent) {
    if (
      ts.isCallExpression(node) &&
      /\.(skip|only|todo|fails|skipIf|runIf)\b/.test(node.expression.getText(tree))
    )
      return false;
  }
  return true;
}
