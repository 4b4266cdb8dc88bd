/* eslint-disable no-console -- prints what it found */
/**
 * Where a running Node process spends its CPU time, as a flame graph and a list of the functions that take most of it.
 *
 * `node bench/profile.ts PID [--seconds 10] [--title TEXT] [--out FILE.svg]`
 *
 * `.local/run.json` and the bench's table name the processes. FILE.cpuprofile beside it opens in Chrome and speedscope.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { recordCpuProfile } from './profile/cpu-profile.ts';
import { flameSvg } from './profile/flame-svg.ts';
import { mergeStacks } from './profile/merge-stacks.ts';
import type { Frame } from './profile/merge-stacks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    title: { type: 'string' },
    out: { type: 'string', default: 'flame.svg' },
  },
});
const pid = Number(positionals[0]);
const profile = await recordCpuProfile(pid, Number(values.seconds));
const root = mergeStacks(profile);
const busy = `${(root.microseconds / 1e6).toFixed(1)} s of CPU in ${values.seconds} s`;
await writeFile(values.out, flameSvg(root, `${values.title ?? `process ${pid}`}: ${busy}`));
await writeFile(values.out.replace(/\.svg$/, '.cpuprofile'), JSON.stringify(profile));

const own = new Map<string, number>();
function collect(frame: Frame): void {
  const below = frame.children.reduce((sum, child) => sum + child.microseconds, 0);
  const name = `${frame.name} ${frame.place}`;
  own.set(name, (own.get(name) ?? 0) + frame.microseconds - below);
  frame.children.forEach(collect);
}
collect(root);
console.table(
  [...own]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 25)
    .map(([name, time]) => ({ name, '%': Number(((time / root.microseconds) * 100).toFixed(1)) })),
);
console.log(`${busy}, drawn in ${values.out}`);
