// Bundles the worker scripts into build/, beside the kernels: plain files whose place can be overridden.
import { build } from 'esbuild';
import { importNodeModules } from './import-node-modules.mjs';

await build({
  entryPoints: { 'kernel-worker': 'workers/kernel.ts', 'session-worker': 'workers/session.ts' },
  outdir: 'build',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  minify: true,
  plugins: [importNodeModules],
  legalComments: 'none',
  logLevel: 'warning',
});
