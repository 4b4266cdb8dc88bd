import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
import { compressAssets } from './build/compress-assets.ts';
import { limitFirstLoad } from './build/limit-first-load.ts';

/** What the first page may weigh, compressed. Charts come later, with the page that has one. */
const FIRST_LOAD_LIMIT_KB = 300;

export default defineConfig(({ command }) => ({
  plugins: [react(), limitFirstLoad(FIRST_LOAD_LIMIT_KB), compressAssets()],
  // key-service puts the nonce of each answer in the place of this word. The development server sends no policy.
  ...(command === 'build' ? { html: { cspNonce: 'CSP_NONCE' } } : {}),
  build: {
    target: 'es2022',
    // Small pictures as data: addresses would need a wider policy.
    assetsInlineLimit: 0,
    // The texts that their licences ask for, of all that is bundled.
    license: true,
    reportCompressedSize: false,
    // limitFirstLoad says what counts.
    chunkSizeWarningLimit: Infinity,
    modulePreload: { polyfill: false },
  },
  server: {
    // `npx -y pnpm@12 --filter @cellarman/dashboard dev`, with the local stack running on its usual ports.
    proxy: { '/api': 'http://127.0.0.1:4100' },
  },
}));
