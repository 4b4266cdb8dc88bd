/* eslint-disable no-console -- the result goes to the terminal */
/** A part of `pnpm generate`: the Grafana dashboards of the chart. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { dashboardFiles } from './files.ts';

for (const [file, text] of await dashboardFiles()) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(relative(process.cwd(), file));
}
