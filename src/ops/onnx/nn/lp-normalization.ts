import type { Value } from '../../../graph/graph.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { axisOf, sameAsInput } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { throughFloat32 } from '../../through-float32.js';

/** Smallest normal float32: a row of zeros stays zeros. */
const TINY = 2 ** -126;

/** https://onnx.ai/onnx/operators/onnx__LpNormalization.html */
export const lpNormalization = defineOp({
  name: 'LpNormalization',
  signature: 'input: T -> output: T',
  types: { T: FLOATS },
  attributes: { axis: int(-1), p: int(2) },
  infer: sameAsInput,
  decompose(c) {
    if (c.element(0) !== 'float32') return throughFloat32(c);
    const norm = c.attributes.p === 1 ? 'ReduceL1' : 'ReduceL2';
    const axes = c.constant({ type: 'int64', dims: [1], data: BigInt64Array.of(BigInt(c.attributes.axis)) });
    const tiny = c.constant({ type: 'float32', dims: [], data: Float32Array.of(TINY) });
    const [length] = c.emit(norm, [c.input(0), axes], { keepdims: { type: 'int', value: 1 } }) as [Value];
    const [divisor] = c.emit('Max', [length, tiny]) as [Value];
    return c.emit('Div', [c.input(0), divisor]);
  },
  evaluate(c) {
    const { type, dims } = c.tensor(0);
    const x = numbersOf(c.tensor(0));
    const axis = axisOf(c, c.attributes.axis, dims.length);
    const inner = elementCount(dims.slice(axis + 1));
    const row = inner * (dims[axis] as number);
    const y = new Float64Array(x.length);
    for (let at = 0; at < y.length; at++) {
      const first = Math.floor(at / row) * row + (at % inner);
      let sum = 0;
      for (let i = first; i < first + row; i += inner) sum += Math.abs(x[i] as number) ** c.attributes.p;
      y[at] = sum === 0 ? 0 : (x[at] as number) / sum ** (1 / c.attributes.p);
    }
    return [tensorOf(type, dims, y)];
  },
});
