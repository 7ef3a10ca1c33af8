import { elementCount } from '../../tensor/tensor-value.js';
import { int } from '../attributes.js';
import { defineOp, type Lowering } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { grainOf } from '../grain.js';
import { axisOf, sameAsInput } from '../shapes.js';

interface AxisAttribute {
  readonly axis: number;
}

/** Emits the kernel over [outer, length, inner]. */
function lowerSoftmax(c: Lowering<AxisAttribute>, logarithm: number, throughEnd: boolean): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const dims = c.shape(0);
  const axis = dims.length === 0 ? 0 : axisOf(c, c.attributes.axis, dims.length);
  const outer = elementCount(dims.slice(0, axis));
  const length = throughEnd ? elementCount(dims.slice(axis)) : (dims[axis] ?? 1);
  const inner = throughEnd ? 1 : elementCount(dims.slice(axis + 1));
  const grain = grainOf(outer * inner, 8 * length);
  const params = { x: c.input(0), y: c.output(0), outer, length, inner, logarithm, grain };
  c.launch('softmax', params, elementCount(dims) && Math.ceil((outer * inner) / grain), {
    writes: [c.output(0)],
    inPlace: [[c.output(0), c.input(0)]],
  });
}

/** From opset 13 along one axis; before, over all axes from `axis` on as one. */
const versions = (name: string, logarithm: number) =>
  [
    { since: 13, axis: -1, throughEnd: false },
    { since: 1, axis: 1, throughEnd: true },
  ].map(({ since, axis, throughEnd }) =>
    defineOp({
      name,
      since,
      signature: 'input: T -> output: T',
      types: { T: FLOATS },
      attributes: { axis: int(axis) },
      infer: sameAsInput,
      lower: (c) => lowerSoftmax(c, logarithm, throughEnd),
    }),
  );

/** https://onnx.ai/onnx/operators/onnx__Softmax.html */
export const softmax = versions('Softmax', 0);
/** https://onnx.ai/onnx/operators/onnx__LogSoftmax.html */
export const logSoftmax = versions('LogSoftmax', 1);
