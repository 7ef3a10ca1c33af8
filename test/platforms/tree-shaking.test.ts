import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packedPackage, peers } from './packed-package.js';

const test = suite('what bundlers leave out');
const installed = peers();

/**
 * Bytes of a script that needs nothing but tensors; sessions alone have more than 250 kB. esbuild puts all into one file: what
 * tensors load on demand, to make them of pictures, is in it.
 */
const MOST_FOR_TENSORS: Readonly<Record<string, number>> = { esbuild: 180_000, webpack: 40_000, vite: 40_000 };

const load = (path: string) => import(pathToFileURL(join(installed as string, path)).href);

/** Each bundles one script into one file. */
const BUNDLERS: Readonly<Record<string, (folder: string, entry: string, output: string) => Promise<void>>> = {
  async esbuild(absWorkingDir, entry, outfile) {
    const { build } = await load('esbuild/lib/main.js');
    await build({ absWorkingDir, entryPoints: [entry], outfile, bundle: true, minify: true, format: 'esm' });
  },

  async webpack(context, entry, filename) {
    const { default: webpack } = await load('webpack/lib/index.js');
    const options = { context, mode: 'production', entry: `./${entry}`, output: { path: context, filename } };
    await new Promise<void>((resolve, reject) =>
      webpack(options, (error: Error | null, stats: { hasErrors(): boolean; toString(): string }) =>
        error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve(),
      ),
    );
  },

  async vite(root, entry, output) {
    const { build } = await load('vite/dist/node/index.js');
    const rollupOptions = { input: join(root, entry), output: { entryFileNames: output } };
    await build({ root, logLevel: 'error', build: { outDir: '.', emptyOutDir: false, rollupOptions } });
  },
};

async function bundled(bundler: string, name: string, script: string): Promise<string> {
  const { folder } = packedPackage();
  writeFileSync(join(folder, `${name}.js`), script);
  const output = `${bundler}-${name}-bundle.js`;
  await BUNDLERS[bundler]?.(folder, `${name}.js`, output);
  return join(folder, output);
}

for (const bundler of installed ? Object.keys(BUNDLERS) : []) {
  test(`${bundler}: tensors without sessions`, async () => {
    const file = await bundled(
      bundler,
      'tensors-only',
      "import { Tensor } from 'sardonyx';\nglobalThis.made = new Tensor('float32', [1, 2]);",
    );
    const { size } = statSync(file);
    console.log(`${bundler}: ${(size / 1000).toFixed(1)} kB for tensors`);
    assert.ok(size <= (MOST_FOR_TENSORS[bundler] as number), `${size} bytes`);
  });

  test(`${bundler}: sardonyx/inline for what it does`, async () => {
    const file = await bundled(bundler, 'inline-only', "import 'sardonyx/inline';");
    assert.match(readFileSync(file, 'utf8'), 'is not in sardonyx/inline', 'the kernels are set');
  });
}

test.run();
