import type { Value } from '../../graph/graph.js';
import { ints } from '../attributes.js';
import { permutation } from '../channels-last.js';
import { defineOp } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { axesOf, sameAsInput } from '../shapes.js';
import { throughFloat32 } from '../through-float32.js';

/** The square of what the operator's definition adds to the standard deviation, here added to the variance. */
const EPSILON = 1e-18;

/** https://onnx.ai/onnx/operators/onnx__MeanVarianceNormalization.html */
export const meanVarianceNormalization = defineOp({
  name: 'MeanVarianceNormalization',
  since: 9,
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: { axes: ints([0, 2, 3]) },
  infer: sameAsInput,
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    const joined = throughFloat32(c);
    if (joined) return joined;
    const axes = new Set(axesOf(c, c.attributes.axes, rank));
    const all = Array.from({ length: rank }, (_, i) => i);
    const kept = all.filter((axis) => !axes.has(axis));
    const perm = [...kept, ...all.filter((axis) => axes.has(axis))];
    const [rows] = c.emit('Transpose', [c.input(0)], permutation(perm)) as [Value];
    const [normal] = c.emit('sardonyx:LayerNormalization', [rows], {
      axis: { type: 'int', value: kept.length },
      epsilon: { type: 'float', value: EPSILON },
    }) as [Value];
    const back = all.map((axis) => perm.indexOf(axis));
    return c.emit('Transpose', [normal], permutation(back));
  },
});
