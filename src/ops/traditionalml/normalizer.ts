import { tensorType } from '../../graph/types.js';
import { string } from '../attributes.js';
import { defineOp } from '../definition.js';
import { FEATURES, featureRows } from './rows.js';

const NORMS: Record<string, (row: readonly number[]) => number> = {
  MAX: (row) => row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  L1: (row) => row.reduce((sum, x) => sum + Math.abs(x), 0),
  L2: (row) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0)),
};

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Normalizer.html; a row of norm 0 stays what it is. */
export const normalizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Normalizer',
  signature: 'X: T -> Y: float32',
  types: { T: FEATURES },
  attributes: { norm: string('MAX') },
  infer: (c) => [tensorType('float32', c.dims(0))],
  evaluate(c) {
    const x = c.tensor(0);
    const { norm } = c.attributes;
    const normOf =
      NORMS[norm] ?? c.fail('INVALID_ATTRIBUTE', `norm "${norm}" is none of ${Object.keys(NORMS).join(', ')}`);
    const { rows, columns, values } = featureRows(x);
    const data = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      const own = Array.from({ length: columns }, (_, k) => values[row * columns + k] as number);
      const length = normOf(own) || 1;
      data.set(
        own.map((v) => v / length),
        row * columns,
      );
    }
    return [{ type: 'float32', dims: x.dims, data }];
  },
});
