import { product } from '../../graph/dims.js';
import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { type Decomposition, defineOp } from '../definition.js';
import { FEATURES } from './rows.js';

const int64 = (c: Decomposition<unknown>, values: readonly number[]): Value =>
  c.constant({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });

/** https://onnx.ai/onnx/operators/onnx_aionnxml_ArrayFeatureExtractor.html */
export const arrayFeatureExtractor = defineOp({
  domain: 'ai.onnx.ml',
  name: 'ArrayFeatureExtractor',
  signature: 'X: T, Y: int64 -> Z: T',
  types: { T: [...FEATURES, 'string'] },
  infer(c) {
    const [dims, indices] = [c.dims(0), c.dims(1)];
    const rows = dims && (dims.length < 2 ? [1] : dims.slice(0, -1));
    return [tensorType(c.element(0), rows && [...rows, indices ? product(indices) : c.unknown()])];
  },
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    const [indices] = c.emit('Reshape', [c.input(1), int64(c, [-1])]) as [Value];
    const taken = c.emit('Gather', [c.input(0), indices], { axis: { type: 'int', value: -1 } });
    return rank < 2 ? c.emit('Unsqueeze', [...taken, int64(c, [0])]) : taken;
  },
});
