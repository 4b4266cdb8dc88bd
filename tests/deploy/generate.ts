/* eslint-disable no-console -- the result goes to the terminal */
/** A part of `pnpm generate`: the chart's values.schema.json and README.md, and the plain manifests. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { chartDocuments, manifestDocuments } from './chart/documents.ts';
import { ROOT } from './chart/paths.ts';
import { findHelm } from './helm/find-helm.ts';

await write(await chartDocuments());
const { helm, reason } = await findHelm();
if (helm === undefined) console.log(`deploy/manifests: left as they are, since ${reason}`);
else await write(await manifestDocuments(helm));

async function write(documents: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, text] of documents) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(relative(ROOT, file));
  }
}
