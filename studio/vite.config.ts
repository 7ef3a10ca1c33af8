import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { offline } from './offline-plugin.js';

const built = (entry: string) => fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url));
const ENTRIES = ['cache', 'builder', 'image', 'tensors'];

/** Threads need a page of its own agents; the policy is the one that any host should send: docs/studio.md. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export default defineConfig({
  base: './',
  plugins: [offline()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      ...ENTRIES.map((entry) => ({ find: new RegExp(`^sardonyx/${entry}$`), replacement: built(entry) })),
      { find: /^sardonyx\/model$/, replacement: fileURLToPath(new URL('../src/tools/index.ts', import.meta.url)) },
      { find: /^sardonyx$/, replacement: built('index') },
    ],
  },
  worker: { format: 'es' },
  build: { target: 'es2022', chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
  server: { headers: HEADERS, fs: { allow: ['..'] } },
  preview: { headers: HEADERS },
});
