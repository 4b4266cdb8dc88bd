import type { CpuProfile } from './cpu-profile.ts';

/** A function with the time that was spent in it and below it, called from the same functions. */
export interface Frame {
  name: string;
  /** `services/sink/src/batch.ts:75`, empty for what Node does itself. */
  place: string;
  microseconds: number;
  children: Frame[];
}

/** Time in which nothing ran is left out: a flame graph shows where the CPU went. */
const NOT_WORK = new Set(['(idle)', '(root)']);

/** A sample that comes later than this was late because another process had the CPU. */
const LATEST_MICROSECONDS = 1_000;

/** All samples as one tree, the widest first. */
export function mergeStacks(profile: CpuProfile): Frame {
  const own = new Map<number, number>();
  profile.samples.forEach((id, i) => {
    const took = Math.min(profile.timeDeltas[i] ?? 0, LATEST_MICROSECONDS);
    own.set(id, (own.get(id) ?? 0) + took);
  });
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const root: Frame = { name: 'all', place: '', microseconds: 0, children: [] };

  function add(id: number, parent: Frame): void {
    const node = nodes.get(id);
    if (node === undefined) return;
    const { functionName, url, lineNumber } = node.callFrame;
    const name = functionName === '' ? '(anonymous)' : functionName;
    let frame = parent;
    if (!NOT_WORK.has(name)) {
      const place = url === '' ? '' : `${shortUrl(url)}:${lineNumber + 1}`;
      const same = parent.children.find((child) => child.name === name && child.place === place);
      frame = same ?? { name, place, microseconds: 0, children: [] };
      if (same === undefined) parent.children.push(frame);
      frame.microseconds += own.get(id) ?? 0;
    }
    for (const child of node.children ?? []) add(child, frame);
  }

  add(profile.nodes[0]?.id ?? 0, root);
  sum(root);
  return root;
}

function sum(frame: Frame): number {
  for (const child of frame.children) frame.microseconds += sum(child);
  frame.children.sort((a, b) => b.microseconds - a.microseconds);
  return frame.microseconds;
}

/** Without what stands before the checkout or the package. */
function shortUrl(url: string): string {
  const inPackage = /.*\/node_modules\/(.*)$/.exec(url)?.[1];
  return inPackage ?? /\/((?:services|libs|bench|tools)\/.*)$/.exec(url)?.[1] ?? url;
}
