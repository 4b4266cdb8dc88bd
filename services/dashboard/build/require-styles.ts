import type { Plugin } from 'vite';

/** The classes of Mantine are hashes; each component has its own in its script. */
const MANTINE_CLASS = /\bm_[0-9a-f]+/g;

/** Fails a build that has a component of Mantine without its styles: src/mantine.css imports them one by one. */
export function requireStyles(): Plugin {
  return {
    name: 'require-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const outputs = Object.values(bundle);
      const scripts = outputs.filter((output) => output.type === 'chunk').map(({ code }) => code);
      const styles = outputs
        .filter((output) => output.type === 'asset')
        .filter(({ fileName }) => fileName.endsWith('.css'))
        .map(({ source }) => String(source));
      const styled = new Set(styles.flatMap((style) => style.match(MANTINE_CLASS) ?? []));
      const missing = scripts
        .flatMap((code) => code.match(MANTINE_CLASS) ?? [])
        .filter((name) => !styled.has(name));
      if (missing.length > 0) {
        this.error(
          `No styles for ${[...new Set(missing)].join(', ')}. Import the file of @mantine/core/styles that has them in src/mantine.css.`,
        );
      }
    },
  };
}
