// Bundles the script of kernel threads into build/, beside the kernels: a plain file whose place can be overridden.
import { build } from 'esbuild';

await build({
  entryPoints: { 'kernel-worker': 'workers/kernel.ts' },
  outdir: 'build',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
});
