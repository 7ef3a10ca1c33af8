import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licenses } from './licenses-plugin.js';
import { offline } from './offline-plugin.js';

/** The runtime and the toolkit from their sources, of which a page takes what it imports. */
const SOURCES = {
  sardonyx: 'index.ts',
  'sardonyx/cache': 'cache/index.ts',
  'sardonyx/builder': 'builder/index.ts',
  'sardonyx/image': 'image/index.ts',
  'sardonyx/log': 'log/index.ts',
  'sardonyx/model': 'tools/index.ts',
  'sardonyx/tensors': 'tensors/index.ts',
};

const alias = Object.entries(SOURCES).map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(`../src/${file}`, import.meta.url)),
}));

/** Threads need a page of its own agents; the policy is the one that any host should send: docs/studio.md. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const notices = licenses();

export default defineConfig({
  base: './',
  plugins: [notices.collect(), notices.write(), offline()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  assetsInclude: ['**/*.onnx'],
  resolve: { alias },
  worker: { format: 'es', plugins: () => [notices.collect()] },
  build: { target: 'es2022', chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
  server: { headers: HEADERS, fs: { allow: ['..'] } },
  preview: { headers: HEADERS },
});
