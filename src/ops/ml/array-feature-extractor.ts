import type { Value } from '../../graph/graph.js';
import { product } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { defineOp } from '../../schema/definition.js';
import { indices } from './constants.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_ArrayFeatureExtractor.html: selects columns of X; X of rank 1 is one row. */
export const arrayFeatureExtractor = defineOp({
  domain: 'ai.onnx.ml',
  name: 'ArrayFeatureExtractor',
  signature: 'X: T, Y: int64 -> Z: T',
  types: { T: ['float32', 'float64', 'int64', 'int32', 'string'] },
  infer(c) {
    const [dims, chosen] = [c.dims(0), c.dims(1)];
    const count = chosen?.length ? product(chosen) : c.unknown();
    if (!dims) return [tensorType(c.element(0))];
    return [tensorType(c.element(0), dims.length === 1 ? [1, count] : [...dims.slice(0, -1), count])];
  },
  decompose(c) {
    const dims = c.dims(0);
    if (!dims) return undefined;
    const [flat] = c.emit('Reshape', [c.input(1), c.constant(indices(-1))]) as [Value];
    const taken = c.emit('Gather', [c.input(0), flat], { axis: { type: 'int', value: -1 } });
    return dims.length === 1 ? c.emit('Reshape', [taken[0] as Value, c.constant(indices(1, -1))]) : taken;
  },
});
