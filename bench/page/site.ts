import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { packedPackage } from '../../test/platforms/packed-package.js';
import { type Site, serve } from '../../test/platforms/site.js';
import { modelFolder } from '../model-folders.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** onnxruntime-web's smallest build, and the binary that it loads. */
const PEER = ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm'];

/** The packed package, onnxruntime-web, the pages and their models. */
export function pageSite(largeModel: string, modelFolders: readonly string[]): Promise<Site> {
  modelFolder('digits_cnn_trained', []);
  const { folder } = packedPackage();
  for (const file of PEER)
    cpSync(here(`../node_modules/onnxruntime-web/dist/${file}`), join(folder, 'onnxruntime-web', file));
  cpSync(here('app'), folder, { recursive: true });
  cpSync(join(modelFolder(largeModel, modelFolders), 'model.onnx'), join(folder, 'large.onnx'));
  writeFileSync(join(folder, 'adder.onnx'), adder());
  return serve(folder);
}

/** As many results as inputs, and hardly any work. */
function adder(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['count']);
  b.output('y', b.op('Add', [x, b.constant('one', tensor('float32', [], [1]))]));
  return b.toBytes();
}
