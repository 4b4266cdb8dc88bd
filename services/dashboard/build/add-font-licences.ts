import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const FONTS = ['inter', 'jetbrains-mono'];

/** Puts the licences of the fonts beside them: Vite collects those of scripts only. */
export function addFontLicences(): Plugin {
  return {
    name: 'add-font-licences',
    apply: 'build',
    async generateBundle() {
      for (const font of FONTS) {
        const licence = new URL(`../node_modules/@fontsource-variable/${font}/LICENSE`, import.meta.url);
        const source = await readFile(licence, 'utf8');
        this.emitFile({ type: 'asset', fileName: `assets/${font}-licence.txt`, source });
      }
    },
  };
}
