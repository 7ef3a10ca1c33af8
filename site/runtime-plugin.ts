import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';
import { ROOT } from './pages.js';

/** The entries of the package that examples import. */
const ENTRIES = ['index', 'cache', 'image', 'tensors'];

/** Pages import the built package as `writeRuntime` puts it beside them. Rollup would take longer for it than for all pages. */
export function runtime(): Plugin {
  let [base, isBuild] = ['/', false];
  return {
    name: 'runtime',
    enforce: 'pre',
    configResolved(config) {
      base = config.base;
      isBuild = config.command === 'build';
    },
    resolveId(id) {
      const [found, entry = 'index'] = /^sardonyx(?:\/(\w+))?$/.exec(id) ?? [];
      if (!found) return null;
      return isBuild ? { id: `${base}sardonyx/dist/${entry}.js`, external: true } : join(ROOT, `dist/${entry}.js`);
    },
  };
}

export async function writeRuntime(outDir: string): Promise<void> {
  const folder = join(outDir, 'sardonyx');
  await build({
    entryPoints: ENTRIES.map((name) => join(ROOT, `dist/${name}.js`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
    tsconfigRaw: {}, // That of the repository maps the package to its sources.
  });
  const kernels = join(ROOT, 'build');
  for (const file of readdirSync(kernels).filter((name) => name.endsWith('.wasm')))
    cpSync(join(kernels, file), join(folder, 'build', file));
}
