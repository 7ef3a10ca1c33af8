import { isKnown } from '../../graph/sizes.js';
import { productDims } from '../../primitives/product-dims.js';
import { int } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { like } from '../../schema/shapes.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

const [A, BLOB, SHAPE] = [0, 1, 2];

/** Elements of a block; byte `i` holds element `i` in its low half and element `i + 16` in its high half. */
const LENGTH = 32;
const HALF = LENGTH / 2;

interface Quantization {
  readonly blk_quant_type: number;
}

/**
 * Unpacks the matrix [K, N]. The blob holds its columns one after another, in blocks: a scale, a zero point unless the type is 0, and 4-bit
 * codes. For type 2, blocks of 64, onnxruntime expects blobs of type 1.
 */
function unpacked(
  c: Inference<Quantization>,
  blob: Uint8Array,
  [rows, columns]: readonly [number, number],
): TensorValue {
  const hasZero = c.attributes.blk_quant_type !== 0;
  const header = 4 + Number(hasZero);
  const blocks = Math.ceil(rows / LENGTH);
  const bytes = header + HALF;
  const wanted = columns * blocks * bytes;
  if (blob.length !== wanted)
    c.fail('INVALID_SHAPE', `input 1 must be ${wanted} bytes for [${rows}, ${columns}], not ${blob.length}`);
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < data.length; i++) {
    const [row, column] = [Math.floor(i / columns), i % columns];
    const at = (column * blocks + Math.floor(row / LENGTH)) * bytes;
    const byte = view.getUint8(at + header + (row % HALF));
    const zero = hasZero ? view.getUint8(at + 4) : 8;
    data[i] = ((row % LENGTH < HALF ? byte & 15 : byte >> 4) - zero) * view.getFloat32(at, true);
  }
  return { type: 'float32', dims: [rows, columns], data };
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulFpQ4 */
export const matMulFpQ4 = defineOp({
  domain: 'com.microsoft',
  name: 'MatMulFpQ4',
  signature: 'A: T1, B: T2, B_shape: T3 -> Y: T1',
  types: { T1: ['float32'], T2: ['uint8'], T3: ['int64'] },
  attributes: { blk_quant_type: int(1) },
  planned: [BLOB, SHAPE],
  infer(c) {
    const shape = c.sizes(SHAPE);
    if (shape && shape.length !== 2) c.fail('INVALID_SHAPE', `input 2 must be [K, N], not [${shape}]`);
    return [like(c, A, productDims(c, c.dims(A), shape))];
  },
  decompose(c) {
    const [blob, shape] = [c.contents(BLOB), c.sizes(SHAPE)];
    if (!blob || !isKnown(shape)) return undefined;
    const b = unpacked(c, blob.data as Uint8Array, shape as unknown as [number, number]);
    return c.emit('MatMul', [c.input(A), c.constant(b)]);
  },
});
