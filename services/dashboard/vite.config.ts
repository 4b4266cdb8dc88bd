import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
import { compressAssets } from './build/compress-assets.ts';
import { addFontLicences } from './build/add-font-licences.ts';
import { limitFirstLoad } from './build/limit-first-load.ts';
import { requireStyles } from './build/require-styles.ts';

/** What the first page may weigh, compressed, with the charts, which are loaded by the pages that have one. */
const FIRST_LOAD_LIMIT_KB = 300;

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    limitFirstLoad(FIRST_LOAD_LIMIT_KB),
    compressAssets(),
    addFontLicences(),
    requireStyles(),
  ],
  // key-service replaces this placeholder by the nonce of each response. The development server sends no policy.
  ...(command === 'build' ? { html: { cspNonce: 'CSP_NONCE' } } : {}),
  // The other one needs modules of Node.
  resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
  build: {
    target: 'es2022',
    // Small pictures as data: URLs would need a wider policy.
    assetsInlineLimit: 0,
    // The license texts of everything that is bundled, as the licenses require.
    license: true,
    reportCompressedSize: false,
    // limitFirstLoad says what counts.
    chunkSizeWarningLimit: Infinity,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Else every component that two pages share is a file of its own, 40 for the first page.
        codeSplitting: {
          groups: [
            { name: 'framework', test: /node_modules.(\.pnpm.)?(react|react-dom|scheduler|@tanstack)[@+/]/ },
            {
              name: 'parts',
              test: /@mantine.(core|hooks)|@floating-ui|dashboard.src.(display|api|session)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    // `npx -y pnpm@12 --filter @cellarman/dashboard dev`, with the local stack running on its usual ports.
    proxy: { '/api': 'http://127.0.0.1:4100' },
  },
}));
