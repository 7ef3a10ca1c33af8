// Bundles the script of kernel threads into build/, beside the kernels: a plain file whose place can be overridden.
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { minify } from './minify.mjs';

const { outputFiles } = await build({
  entryPoints: { 'kernel-worker': 'workers/kernel.ts' },
  outdir: 'build',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  minifySyntax: true,
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
});
mkdirSync('build', { recursive: true });
for (const { path, text } of outputFiles) writeFileSync(path, minify(path, text, { keepsFunctions: true }).code);
