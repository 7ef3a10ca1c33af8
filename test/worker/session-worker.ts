import { modelBuilder } from '../../src/builder/index.js';
import type { TensorValue } from '../../src/index.js';
import { randomFloats } from '../assembly/kernels.js';

export { buildPackage } from '../built-package.js';

export const floats = (dims: readonly number[], seed = 1): TensorValue & { readonly data: Float32Array } => ({
  type: 'float32',
  dims,
  data: randomFloats(
    dims.reduce((product, size) => product * size, 1),
    seed,
  ),
});

/** Products with a square matrix, one after the other: `steps` decides how long a run takes. */
export function chainOfProducts(steps: number, size: number, rows: number | string = 'rows'): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const { data } = floats([size, size], 3);
  const weights = b.constant('w', { type: 'float32', dims: [size, size], data: data.map((w) => w / size) });
  let x = b.input('x', 'float32', [rows, size]);
  for (let i = 0; i < steps; i++) x = b.op('Tanh', [b.op('MatMul', [x, weights])]);
  b.output('y', x);
  return b.toBytes();
}
