import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { tensorType } from '../../src/graph/types.js';
import type { FilePlace } from '../../src/model/write-attributes.js';
import { writeModel } from '../../src/model/write-model.js';
import { StoredTensor } from '../../src/tensor/stored-tensor.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

/** Widths of a chain of products with 4-bit weights. */
const SIZES = [8192, ...Array.from({ length: 20 }, (_, i) => 16384 >> (i & 1)), 40960];
const BLOCK = 32;

/** The last number of the result: every product is 0 and its exponential 1, except for the last scale, whose codes are −8. */
export const LAST = 1;
export const WIDTH = SIZES[0] as number;

const FOLDER = fileURLToPath(new URL('../../build/models/1.9 GB', import.meta.url));

const nowhere = () => {
  throw new Error('these weights are in a file alone');
};

/** A model of 1.9 GB of external data, mostly holes in a sparse file, so it is created quickly. */
export function largeModel(): { readonly folder: string; readonly bytes: number } {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const places = new Map<TensorValue, FilePlace>();
  let bytes = 0;
  const weight = (name: string, type: 'uint8' | 'float32', dims: readonly number[], length: number) => {
    const constant = new StoredTensor(type, dims, nowhere);
    places.set(constant, { location: 'model.onnx_data', offset: bytes, length });
    bytes += length;
    const value = b.constant(name, tensor(type, [0], []));
    return Object.assign(value, { constant, type: tensorType(type, dims) });
  };
  const x = b.input('x', 'float32', [1, WIDTH]);
  let y: Value = x;
  for (const [i, N] of SIZES.slice(1).entries()) {
    const K = SIZES[i] as number;
    const blocks = K / BLOCK;
    const codes = weight(`codes_${i}`, 'uint8', [N, blocks, BLOCK / 2], (N * K) / 2);
    const scales = weight(`scales_${i}`, 'float32', [N * blocks], 4 * N * blocks);
    const attributes = { K, N, bits: 4, block_size: BLOCK };
    const [product]: readonly Value[] = b.node('MatMulNBits', [y, codes, scales], attributes, {
      domain: 'com.microsoft',
    });
    y = i < SIZES.length - 2 ? b.op('Exp', [product as Value]) : (product as Value);
  }
  b.output('y', y);
  const file = join(FOLDER, 'model.onnx');
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true });
    const data = openSync(`${file}_data`, 'w');
    ftruncateSync(data, bytes);
    writeSync(data, new Uint8Array(Float32Array.of(LAST / (-8 * BLOCK)).buffer), 0, 4, bytes - 4);
    closeSync(data);
    writeFileSync(`${file}.new`, writeModel(b.toModel(), { external: (constant) => places.get(constant) }));
    renameSync(`${file}.new`, file);
  }
  return { folder: FOLDER, bytes };
}
