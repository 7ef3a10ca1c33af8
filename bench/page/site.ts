import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { packedPackage } from '../../test/platforms/packed-package.js';
import { type Site, serve } from '../../test/platforms/site.js';
import { modelFolder } from '../model-folders.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** onnxruntime-web's smallest binary, used by its smallest build. */
const PEER = 'ort-wasm-simd-threaded.wasm';

/** The packed package, onnxruntime-web, the pages and their models. */
export async function pageSite(largeModel: string, modelFolders: readonly string[]): Promise<Site> {
  modelFolder('digits_cnn_trained', []);
  const { folder } = packedPackage();
  cpSync(here('app'), folder, { recursive: true });
  for (const name of ['sardonyx', 'onnxruntime-web', 'empty']) await bundlePage(folder, name);
  cpSync(join(folder, 'node_modules/sardonyx/build'), join(folder, 'sardonyx/build'), { recursive: true });
  cpSync(here(`../node_modules/onnxruntime-web/dist/${PEER}`), join(folder, 'onnxruntime-web/page', PEER));
  cpSync(join(modelFolder(largeModel, modelFolders), 'model.onnx'), join(folder, 'large.onnx'));
  writeFileSync(join(folder, 'adder.onnx'), adder());
  return serve(folder);
}

/** Bundles each page for deployment: one script, and chunks that it loads on demand. */
const bundlePage = (folder: string, name: string) =>
  build({
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', target: 'esnext', logLevel: 'error' },
    entryPoints: [join(folder, `${name}.js`)],
    outdir: join(folder, name, 'page'),
    nodePaths: [here('../node_modules')],
  });

/** A model with as many results as inputs, and hardly any work. */
function adder(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['count']);
  b.output('y', b.op('Add', [x, b.constant('one', tensor('float32', [], [1]))]));
  return b.toBytes();
}
