import { ModelProto } from '../../build/onnx.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';

/** y = x · w + b with w large enough to have a place of its own: w[i, j] = (7i + j) mod 5, b[j] = j mod 3. */
export const INNER = 48;
export const OUTER = 1025;
export const weight = (i: number, j: number) => (7 * i + j) % 5;
export const bias = (j: number) => j % 3;

const W = Float32Array.from({ length: INNER * OUTER }, (_, k) => weight(Math.floor(k / OUTER), k % OUTER));
const B = Float32Array.from({ length: OUTER }, (_, j) => bias(j));

export function product(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const x = b.input('x', 'float32', [1, INNER]);
  const w = b.constant('w', tensor('float32', [INNER, OUTER], W));
  const y = b.op('Add', [b.op('MatMul', [x, w]), b.constant('b', tensor('float32', [OUTER], B))]);
  b.output('y', y);
  return b.toBytes();
}

/** The same with w in two files of other lengths than needed, b inside; w at an odd offset. */
export function withExternalWeights(path = 'weights.bin') {
  const weights = new Uint8Array(11 + W.byteLength + 5);
  weights.set(new Uint8Array(W.buffer), 11);
  const model = ModelProto.decode(product());
  const w = model.graph?.initializer.find(({ name }) => name === 'w');
  if (!w) throw new Error('the model has no w');
  w.rawData = new Uint8Array();
  w.dataLocation = 1;
  const entries = Object.entries({ location: path, offset: '11', length: `${W.byteLength}` });
  w.externalData = entries.map(([key, value]) => ({ key, value }) as never);
  return { model: ModelProto.encode(model).finish(), weights };
}

export const feeds = {
  x: { type: 'float32', dims: [1, INNER], data: Float32Array.from({ length: INNER }, (_, i) => (i % 4) - 1) },
} as const;

/** By a plain loop; sums of small integers are exact. */
export const expected = Float32Array.from({ length: OUTER }, (_, j) =>
  feeds.x.data.reduce((sum, x, i) => sum + x * weight(i, j), bias(j)),
);
