import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { floats } from '../attributes.js';
import { type Decomposition, defineOp } from '../definition.js';
import { FEATURES } from './rows.js';

const FLOAT = { to: { type: 'int' as const, value: 1 } };

/** One value per feature, or one for all. */
const perFeature = (c: Decomposition<unknown>, values: readonly number[]): Value =>
  c.constant({ type: 'float32', dims: values.length === 1 ? [] : [values.length], data: new Float32Array(values) });

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Scaler.html */
export const scaler = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Scaler',
  signature: 'X: T -> Y: float32',
  types: { T: FEATURES },
  attributes: { offset: floats([0]), scale: floats([1]) },
  infer: (c) => [tensorType('float32', c.dims(0))],
  decompose(c) {
    const { offset, scale } = c.attributes;
    const [x] = c.element(0) === 'float32' ? [c.input(0)] : c.emit('Cast', [c.input(0)], FLOAT);
    const centered = c.emit('Sub', [x as Value, perFeature(c, offset)]);
    return c.emit('Mul', [...centered, perFeature(c, scale)]);
  },
});
