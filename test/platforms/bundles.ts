import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A page made by a bundler, and the threads that it runs with. */
export interface BundledPage {
  /** On the site, or where the bundler's own server has it. */
  readonly page: string;
  readonly threads: number;
  close?(): Promise<void>;
}

interface WebpackStats {
  hasErrors(): boolean;
  hasWarnings(): boolean;
  toString(): string;
}

interface ViteServer {
  readonly resolvedUrls: { readonly local: readonly string[] };
  listen(): Promise<unknown>;
  close(): Promise<void>;
}

interface Vite {
  build(options: object): Promise<unknown>;
  createServer(options: object): Promise<ViteServer>;
}

type Build = (options: object) => Promise<unknown>;
type Webpack = (options: object, done: (error: Error | null, stats: WebpackStats) => void) => void;
type Load = (path: string) => Promise<unknown>;

const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** How each is run: it is told what to bundle and where to, and nothing else. */
const BUNDLERS = {
  async vite(root: string, load: Load) {
    const { build } = (await load('vite/dist/node/index.js')) as Vite;
    const rollupOptions = { input: join(root, 'bundled.html') };
    await build({ root, base: './', logLevel: 'error', build: { outDir: 'vite', rollupOptions } });
    return { page: 'vite/bundled.html?policy=isolated', threads: 2 };
  },

  async 'the server of vite'(root: string, load: Load) {
    const { createServer } = (await load('vite/dist/node/index.js')) as Vite;
    const server = await createServer({ root, logLevel: 'warn', server: { host: '127.0.0.1', headers: ISOLATED } });
    await server.listen();
    return { page: `${server.resolvedUrls.local[0]}bundled.html?`, threads: 2, close: () => server.close() };
  },

  async webpack(context: string, load: Load) {
    const { default: webpack } = (await load('webpack/lib/index.js')) as { default: Webpack };
    const output = { path: join(context, 'webpack') };
    const stats = await new Promise<WebpackStats>((resolve, reject) =>
      webpack({ context, mode: 'production', entry: './bundled.js', output, performance: false }, (error, stats) =>
        error ? reject(error) : resolve(stats),
      ),
    );
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
    return { page: 'page?script=webpack/main.js&policy=isolated', threads: 2 };
  },

  /** It copies no files that a script refers to, so the kernels are in the script. */
  async esbuild(root: string, load: Load) {
    await bundleScript('bundled-inline.js', root, load);
    return { page: 'page?script=esbuild-bundled-inline.js&policy=isolated', threads: 1 };
  },
};

export type Bundler = keyof typeof BUNDLERS;

const loader =
  (modules: string): Load =>
  (path) =>
    import(pathToFileURL(join(modules, path)).href);

export const bundle = (name: Bundler, folder: string, modules: string): Promise<BundledPage> =>
  BUNDLERS[name](folder, loader(modules));

/** A script by esbuild, `esbuild-` before its name, which is no module. */
export async function bundleScript(script: string, absWorkingDir: string, modules: string | Load): Promise<void> {
  const load = typeof modules === 'string' ? loader(modules) : modules;
  const { build } = (await load('esbuild/lib/main.js')) as { build: Build };
  await build({ absWorkingDir, entryPoints: [script], outdir: '.', entryNames: 'esbuild-[name]', bundle: true });
}
