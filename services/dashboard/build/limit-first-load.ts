import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

/** Fails a build whose first page, with its charts, weighs more than `limitKb` with gzip, which every browser takes. */
export function limitFirstLoad(limitKb: number): Plugin {
  return {
    name: 'limit-first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const names = firstLoadOf(bundle);
      const kb = names.reduce((sum, name) => sum + weightOf(bundle, name), 0) / 1_000;
      const line = `first load: ${kb.toFixed(1)} kB with gzip, in ${names.length} files`;
      if (kb > limitKb)
        this.error(`${line}. It must not exceed ${limitKb} kB: load what it does not need later.`);
      this.info(line);
    },
  };
}

const CHARTS = /dashboard.src.charts/;

/** The entry and the charts, what they import before they can run, and their style sheets. */
function firstLoadOf(bundle: Bundle): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const chunk = bundle[name];
    if (found.has(name) || chunk?.type !== 'chunk') return;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    chunk.imports.forEach(visit);
  };
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue;
    if (output.isEntry || output.moduleIds.some((id) => CHARTS.test(id))) visit(output.fileName);
  }
  return [...found];
}

function weightOf(bundle: Bundle, name: string): number {
  const output = bundle[name];
  if (output === undefined) return 0;
  return gzipSync(output.type === 'chunk' ? output.code : output.source).length;
}
