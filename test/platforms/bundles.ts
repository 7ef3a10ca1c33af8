import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A page made by a bundler, and the threads that it runs with. */
export interface BundledPage {
  readonly page: string;
  readonly threads: number;
}

interface WebpackStats {
  hasErrors(): boolean;
  hasWarnings(): boolean;
  toString(): string;
}

type Build = (options: object) => Promise<unknown>;
type Webpack = (options: object, done: (error: Error | null, stats: WebpackStats) => void) => void;

/** How each is run: it is told what to bundle and where to, and nothing else. */
const BUNDLERS = {
  async vite(root: string, load: (path: string) => Promise<unknown>) {
    const { build } = (await load('vite/dist/node/index.js')) as { build: Build };
    const rollupOptions = { input: join(root, 'bundled.html') };
    await build({ root, base: './', logLevel: 'warn', build: { outDir: 'vite', rollupOptions } });
    return { page: 'vite/bundled.html', threads: 2 };
  },

  async webpack(context: string, load: (path: string) => Promise<unknown>) {
    const { default: webpack } = (await load('webpack/lib/index.js')) as { default: Webpack };
    const output = { path: join(context, 'webpack') };
    const stats = await new Promise<WebpackStats>((resolve, reject) =>
      webpack({ context, mode: 'production', entry: './bundled.js', output, performance: false }, (error, stats) =>
        error ? reject(error) : resolve(stats),
      ),
    );
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
    return { page: 'page?script=webpack/main.js', threads: 2 };
  },

  /** It copies no files that a script refers to, so the kernels are in the script. */
  async esbuild(absWorkingDir: string, load: (path: string) => Promise<unknown>) {
    const { build } = (await load('esbuild/lib/main.js')) as { build: Build };
    await build({ absWorkingDir, entryPoints: ['bundled-inline.js'], outdir: 'esbuild', bundle: true });
    return { page: 'page?script=esbuild/bundled-inline.js', threads: 1 };
  },
};

export const bundle = (name: keyof typeof BUNDLERS, folder: string, modules: string): Promise<BundledPage> =>
  BUNDLERS[name](folder, (path) => import(pathToFileURL(join(modules, path)).href));
